import { isIP } from 'node:net'
import { z } from 'zod'

function isRange(text: string): boolean {
  const [address = '', bits = '0', ...rest] = text.split('/')
  const mostBits = isIP(address) === 6 ? 128 : 32
  return isIP(address) !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= mostBits && rest.length === 0
}

/** IP addresses and ranges such as `10.0.0.0/8`, separated by commas. */
export const addressRanges = z
  .string()
  .transform((text) => text.split(',').map((range) => range.trim()))
  .refine((ranges) => ranges.every(isRange), 'must be IP addresses and ranges such as 10.0.0.0/8, separated by commas')
