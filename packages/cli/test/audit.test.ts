import { sealOn } from '@rollcall/core'
import { memoryDigests } from '@rollcall/core/memory'
import { describe, expect, it } from 'vitest'
import { jsonLines, openTestCli } from './terminal.ts'

const withTrail = async () => {
  const cli = openTestCli()
  for (const id of ['ada', 'bob', 'eve']) await cli.putUser(id)
  await cli.useCases.sealAudit.execute()
  return cli
}

type Storage = Awaited<ReturnType<typeof withTrail>>['storage']

/** A fourth record, under the seal on another. */
const sealFalsely = async ({ unitOfWork, readers }: Storage, at = 1): Promise<void> => {
  const [last] = (await readers.audit.list({ after: 2, limit: 1 })).items
  const before = await readers.audit.head()
  if (last === undefined || before === undefined) throw new Error('There is no trail.')
  await unitOfWork.run(async ({ audit }) => {
    const id = await audit.append({ ...last, at })
    const other = { ...last, id, at: at + 1, sequence: 4 }
    await audit.seal(sealOn(memoryDigests('a secret for tests'), before, [other], 1), [id])
  })
}

describe('rollcall audit verify', () => {
  it('says that the trail holds, and what it is made of', async () => {
    const { run } = await withTrail()
    const { exitCode, stdout, stderr } = await run(['audit', 'verify'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toBe('The audit trail holds: 3 records, 1 seal.\n')
    const machine = await run(['audit', 'verify', '--json'])
    expect(JSON.parse(machine.stdout)).toEqual({
      ...{ intact: true, records: 3, seals: 1, unsealed: 0 },
      ...{ anchor: null, broken: null },
    })
  })

  it('exits 3 with the first broken record where it does not hold', async () => {
    const { run, storage } = await withTrail()
    await sealFalsely(storage)
    const { exitCode, stdout, stderr } = await run(['audit', 'verify'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
    expect(stderr).toMatch(
      /^error: Record 4 is not what was written, or what stood there is gone\. .* Keep a copy of it as it is, .*\n$/,
    )
    const machine = await run(['audit', 'verify', '--json'])
    expect(machine.exitCode).toBe(3)
    expect(JSON.parse(machine.stdout)).toMatchObject({ intact: false, broken: { sequence: 4, fault: 'changed' } })
    expect(JSON.parse(machine.stderr)).toMatchObject({ error: 'AuditBroken' })
  })

  it('finds a record with an invalid time, which can still be listed', async () => {
    const { run, storage } = await withTrail()
    await sealFalsely(storage, 9e15)
    expect(await run(['audit', 'list'])).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^4 /m) })
    const listed = await run(['audit', 'list', '--json'])
    expect(listed).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/"at": ?null/) })
    expect(jsonLines((await run(['audit', 'export', '--after', '3'])).stdout)).toMatchObject([{ at: null }])
    expect(await run(['audit', 'verify'])).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('Record 4') })
  })

  it('exits 2 where --since is no seal of the instance', async () => {
    const { run } = await withTrail()
    const { exitCode, stderr } = await run(['audit', 'verify', '--since', 'x'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('as the log of the service names it')
    const another = `1-3.${'a'.repeat(64)}.1.${'b'.repeat(64)}`
    const mistyped = await run(['audit', 'verify', '--since', another])
    expect(mistyped).toMatchObject({ exitCode: 2, stdout: '' })
    expect(mistyped.stderr).toBe(
      "error: 'since': This is no seal of this instance: it is not copied exactly, or was made with another secret. Nothing was verified.\n",
    )
  })
})

describe('rollcall audit export', () => {
  it('prints one record a line, from any record on', async () => {
    const { run } = await withTrail()
    const { exitCode, stdout } = await run(['audit', 'export'])
    expect(exitCode).toBe(0)
    expect(jsonLines(stdout)).toMatchObject([{ sequence: 1 }, { sequence: 2 }, { sequence: 3, target: 'eve' }])
    expect(jsonLines((await run(['audit', 'export', '--after', '2'])).stdout)).toHaveLength(1)
    expect((await run(['audit', 'export', '--after', '3'])).stdout).toBe('')
    // What had no number when it was shown may have one since.
    expect(jsonLines((await run(['audit', 'export', '--after', '-2'])).stdout)).toMatchObject([{ sequence: 3 }])
    expect((await run(['audit', 'export', '--after', 'x'])).exitCode).toBe(2)
  })
})

describe('rollcall audit list, narrowed down', () => {
  it('finds what was done to one, the newest first', async () => {
    const { run, putUser } = openTestCli()
    for (const id of ['ada', 'bob']) await putUser(id)
    await run(['user', 'delete', 'ada', '--yes'])
    const numbers = async (...options: string[]) =>
      JSON.parse((await run(['audit', 'list', '--json', ...options])).stdout).items.map(
        ({ sequence }: { readonly sequence: number }) => sequence,
      )
    expect(await numbers('--target', 'ada')).toEqual([1, 3])
    expect(await numbers('--target', 'ada', '--newest')).toEqual([3, 1])
    expect(await numbers('--target', 'ada', '--action', 'user.delete')).toEqual([3])
    expect(await numbers('--since', '2026-01-01', '--target', 'bob')).toEqual([2])
    expect((await run(['audit', 'list', '--since', 'yesterday'])).exitCode).toBe(2)
    const misspelt = await run(['audit', 'list', '--action', 'user.deleted'])
    expect(misspelt).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('user.delete, user.erase') })
    expect((await run(['audit', 'list', '--target', 'nobody'])).stderr).toBe('There are no audit records.\n')
  })
})
