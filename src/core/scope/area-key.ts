/** Areas and tags compare by Unicode lower case. */
export function areaKey(label: string): string {
  return label.toLowerCase()
}
