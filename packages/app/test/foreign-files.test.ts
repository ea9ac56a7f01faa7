import { operator } from '@rollcall/core'
import { openMemoryService } from '@rollcall/core/memory'
import { expect, it } from 'vitest'
import { foreignFiles } from '../src/foreign-files.ts'

const OPS = operator('ops')
const ORDER = {
  ...{ service: 'listmonk', fileName: 'people.csv', feed: undefined, consent: undefined, confirmedAt: undefined },
  ...{ names: {}, ignored: [] },
}
const FILE = `uuid,email,name,attributes,status,created_at,updated_at
1,ada@example.com,Ada,{},enabled,2025-12-01 10:00:00.0 +0000 UTC,2025-12-01 10:00:00.0 +0000 UTC
2,bob@example.com,Bob,{},blocklisted,2026-01-01 10:00:00.0 +0000 UTC,2026-01-01 10:00:00.0 +0000 UTC
3,none,None,{},enabled,2025-12-01 10:00:00.0 +0000 UTC,2025-12-01 10:00:00.0 +0000 UTC
`

const opened = () => {
  const { useCases } = openMemoryService()
  const files = foreignFiles(useCases, () => '2026-11-28')
  const linesOf = async (order: Partial<Parameters<typeof files.importFrom>[0]> = {}, dryRun = false, file = FILE) => {
    async function* body() {
      yield Buffer.from(file)
    }
    const how = { dryRun, mail: undefined, update: ['name'], caller: OPS }
    const lines: object[] = []
    for await (const line of await files.importFrom({ ...ORDER, ...order }, body(), how)) lines.push(line)
    return lines
  }
  return { useCases, linesOf, files }
}

it('takes in the file of another service as it is, and counts what is left out', async () => {
  const { useCases, linesOf } = opened()
  expect(await linesOf({}, true)).toMatchObject([
    { line: 3, error: 'LeftOut' },
    { line: 4, error: 'InvalidInput' },
    { rows: 3, imported: 1, refused: 1, left_out: 1, dry_run: true },
  ])
  expect((await linesOf({ consent: 'a form', confirmedAt: '2025-12-31' })).at(-1)).toMatchObject({ confirmed: 1 })
  const { items } = await useCases.listSubscriptions.execute({}, OPS)
  expect(items.map(({ email, status }) => [email, status])).toEqual([['ada@example.com', 'confirmed']])
  expect((await linesOf({}, false, FILE.replace('Ada', 'Ada L.'))).at(-1)).toMatchObject({ imported: 0, updated: 1 })
})

it('looks at the columns that are not used as the command line does', async () => {
  const { linesOf } = opened()
  const file = 'id,email,name,subscribed_to_emails,created_at,Feed\n1,ada@example.com,Ada,true,2025-12-01,News\n'
  expect((await linesOf({ service: 'ghost' }, true, file)).at(-1)).toMatchObject({
    imported: 1,
    ignored: ['Feed', 'id'],
  })
})

it.each([
  ['an unknown service', { service: 'constructor' }, /^Use one of listmonk/],
  ['an archive', { fileName: 'all.zip', service: 'mailchimp' }, /^Unpack/],
  ['a name that says nothing', { service: 'mailchimp' }, /^The name of the file/],
  ['half an evidence', { consent: 'a form' }, /^Say how/],
  ['a day to come', { consent: 'a form', confirmedAt: '2026-11-29' }, /^Give a day that has come/],
  ['other columns', { names: { name: 'x' } }, /^Of the file/],
])('refuses %s', async (_, order, message) => {
  await expect(opened().linesOf(order)).rejects.toMatchObject({
    details: [{ message: expect.stringMatching(message) }],
  })
})
