/** Readers of untrusted JSON: a value of another type reads as absent. zod would slow down every start. */

export type Json = Readonly<Record<string, unknown>>

export function asRecord(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

export function record(from: Json, key: string): Json {
  return asRecord(from[key])
}

export function textField(from: Json, key: string): string | undefined {
  const value = from[key]
  return typeof value === 'string' ? value : undefined
}

export function numberField(from: Json, key: string): number | undefined {
  const value = from[key]
  return typeof value === 'number' ? value : undefined
}

export function textList(from: Json, key: string): string[] {
  const value = from[key]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

export function numberList(from: Json, key: string): number[] {
  const value = from[key]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'number') : []
}

export function recordList(from: Json, key: string): Json[] {
  const value = from[key]
  return Array.isArray(value) ? value.map(asRecord) : []
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
