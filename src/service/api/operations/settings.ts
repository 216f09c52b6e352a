import { SettingsAnswer } from '../../../core/schemas/settings.ts'
import { nothing, operation } from '../operation.ts'

export const settingsOperations = [
  operation({
    id: 'getSettings',
    method: 'get',
    path: '/settings',
    need: 'read',
    summary: 'Retrieve the settings in force',
    input: nothing,
    answer: SettingsAnswer,
    async run({ settings, settingsFacts, repository: { defaultBranch, isPublic, parent } }) {
      return {
        ...{ settings: settings.values, default_branch: defaultBranch, public: isPublic, parent },
        ...(await settingsFacts()),
      }
    },
  }),
]
