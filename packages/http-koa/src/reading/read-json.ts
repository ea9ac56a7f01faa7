import { MalformedRequest } from '@rollcall/core'
import { type Fields, fieldsOfJson } from './fields.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a JSON object.
 * @param binary one character per byte
 * @throws {MalformedRequest} it is not UTF-8, not JSON, or not an object
 */
export const readJson = (binary: string): Fields => {
  const { text, value } = parse(binary)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new MalformedRequest('Send a JSON object, such as {"email": "name@example.com"}.')
  return fieldsOfJson(text, Object.fromEntries(Object.entries(value)))
}

const parse = (binary: string): { text: string; value: unknown } => {
  try {
    const text = utf8.decode(Buffer.from(binary, 'latin1'))
    return { text, value: JSON.parse(text) }
  } catch {
    throw new MalformedRequest('The body is not JSON in UTF-8. Correct it and send it again.')
  }
}
