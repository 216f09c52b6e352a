import { defineRoute, noQuery, type Route, unreadBody } from './route.ts'

export const settingsRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/settings',
    access: 'read',
    query: noQuery,
    body: unreadBody,
    async handle({ effectiveSettings: { settings, sources, file, problems } }) {
      const origin = file && { ...file, read_at: file.read_at.toISOString() }
      return { status: 200, body: { settings, sources, file: origin, problems } }
    },
  }),
]
