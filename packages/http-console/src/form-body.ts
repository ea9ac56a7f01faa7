import type { IncomingMessage } from 'node:http'
import { readWhole } from '@rollcall/platform-node'
import { ConsoleError } from './console-error.ts'

/** Bytes of a form, and of one that has a list or a file in it. */
export const USUAL_BODY = 64 * 1024
export const LARGE_BODY = 8 * 1024 * 1024

export class Form {
  readonly #data: FormData

  constructor(data: FormData = new FormData()) {
    this.#data = data
  }

  /** Empty if there is none. Line breaks of a browser are two characters. */
  text(name: string): string {
    const value = this.#data.get(name)
    return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : ''
  }

  /** Undefined if none was chosen. */
  file(name: string): File | undefined {
    const value = this.#data.get(name)
    return value !== null && typeof value !== 'string' && value.size > 0 ? value : undefined
  }

  has(name: string): boolean {
    return this.#data.has(name)
  }

  all(name: string): string[] {
    return this.#data.getAll(name).filter((value) => typeof value === 'string')
  }
}

const TYPES = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i

/** @throws {ConsoleError} it is no form, or a part of one, or too large */
export const readForm = async (request: IncomingMessage, longest: number): Promise<Form> => {
  const type = request.headers['content-type'] ?? ''
  if (!TYPES.test(type) || request.headers['content-encoding'] !== undefined)
    throw new ConsoleError('UnsupportedMediaType', 'Send a form.')
  const bytes = await bytesOf(request, longest)
  try {
    return new Form(await new Response(bytes, { headers: { 'Content-Type': type } }).formData())
  } catch {
    throw new ConsoleError('MalformedRequest', 'This form cannot be read. Go back and send it again.')
  }
}

const bytesOf = async (request: IncomingMessage, longest: number): Promise<Buffer<ArrayBuffer>> => {
  const words = `This is more than ${longest / 1024} KiB. Use the command line for it.`
  const tooLong = () => new ConsoleError('PayloadTooLarge', words, { Connection: 'close' })
  try {
    return await readWhole(request, longest, tooLong)
  } catch (error) {
    if (error instanceof ConsoleError) throw error
    // The client went away, or what it sent is broken.
    throw new ConsoleError('MalformedRequest', 'The form did not arrive whole. Go back and send it again.')
  }
}
