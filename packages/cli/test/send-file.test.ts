import { expect, it } from 'vitest'
import type { Service } from '../src/service/service.ts'
import { sendFile } from '../src/transfer/send-file.ts'

/** Sends these pieces, and is interrupted before the last; what a service read, and whether that came to an end. */
const interruptedBefore = async (...pieces: readonly string[]) => {
  const interruption = new AbortController()
  const read: Buffer[] = []
  let isWhole = false
  const importSubscriptions = async function* ({
    body,
  }: {
    readonly body: { readonly csv: AsyncIterable<Uint8Array> }
  }) {
    for await (const piece of body.csv) read.push(Buffer.from(piece))
    isWhole = true
    yield { rows: 0 }
  }
  const service = { ask: async () => undefined, client: { importSubscriptions } } as unknown as Service
  async function* bytes() {
    for (const [n, piece] of pieces.entries()) {
      if (n === pieces.length - 1) interruption.abort()
      yield Buffer.from(piece)
    }
  }
  const lines = sendFile(
    service,
    'importSubscriptions',
    { format: 'csv', body: bytes(), dryRun: false },
    {
      signal: interruption.signal,
      onProgress: () => undefined,
    },
  )
  const outcome: unknown[] = []
  try {
    for await (const line of lines) outcome.push(line)
  } catch (error) {
    outcome.push(String(error))
  }
  return { outcome, isWhole, text: Buffer.concat(read).toString() }
}

it('ends a file behind a whole record if it is interrupted', async () => {
  expect(await interruptedBefore('email\na@example.com\nb@exa', 'mple.com\nc@example.co')).toEqual({
    outcome: [{ rows: 0, interrupted: true }],
    isWhole: true,
    text: 'email\na@example.com\nb@example.com\n',
  })
})

it('breaks off within a record that is too long to wait for: half of it may be the address of another', async () => {
  const long = `email,name\n"${'x'.repeat(1_200_000)}`
  const { outcome, isWhole } = await interruptedBefore(long, 'a@example.co')
  expect([outcome, isWhole]).toEqual([[expect.stringContaining('Interrupted.')], false])
})
