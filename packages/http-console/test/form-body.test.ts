import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { ConsoleError } from '../src/console-error.ts'
import { readForm, USUAL_BODY } from '../src/form-body.ts'

it('a form whose client went away, or broke off, is its fault and no defect', async () => {
  const broken = async function* () {
    yield Buffer.from('a=')
    throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
  }
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const request = Object.assign(Readable.from(broken()), { headers }) as Readable as IncomingMessage
  const reading = readForm(request, USUAL_BODY)
  await expect(reading).rejects.toThrow(ConsoleError)
  await expect(reading).rejects.toMatchObject({ name: 'MalformedRequest' })
})
