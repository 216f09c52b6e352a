/**
 * Settings of git by variables: other users can read arguments, and the name of a filter may hold `=`. `first` is the number of
 * settings that the environment has already.
 */
export function settingsVariables(settings: readonly (readonly [string, string])[], first = 0): Record<string, string> {
  const variables = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${first + at}`, key],
    [`GIT_CONFIG_VALUE_${first + at}`, value],
  ])
  return { ...Object.fromEntries(variables), GIT_CONFIG_COUNT: String(first + settings.length) }
}
