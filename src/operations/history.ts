import { z } from 'zod'
import { HistoryEntry } from '../history/schema.ts'
import { pageOf, pageParameters } from './page.ts'

export const HistoryQuery = z.strictObject(pageParameters)
export const HistoryPage = pageOf(HistoryEntry)
