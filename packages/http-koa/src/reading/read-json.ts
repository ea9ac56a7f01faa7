import { MalformedRequest } from '@rollcall/core'
import { type Fields, fieldsOfJson } from './fields.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a JSON object.
 * @throws {MalformedRequest} it is not UTF-8, not JSON, or not an object
 */
export const readJson = (bytes: Uint8Array): Fields => {
  const { text, value } = parse(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new MalformedRequest('Send a JSON object, such as {"email": "name@example.com"}.')
  return fieldsOfJson(text, Object.fromEntries(Object.entries(value)))
}

const parse = (bytes: Uint8Array): { text: string; value: unknown } => {
  try {
    const text = utf8.decode(bytes)
    return { text, value: JSON.parse(text) }
  } catch {
    throw new MalformedRequest('The body is not JSON in UTF-8. Correct it and send it again.')
  }
}
