import type { BackupOutcome, RestoreOrder, RestoreOutcome, RestorePlan, VerifyOutcome } from '@rollcall/cli'
import { describe, expect, it, vi } from 'vitest'
import { openTestCli } from './terminal.ts'

const BACKUP: BackupOutcome = {
  file: '/backups/b.db',
  bytes: 2_345_678,
  auditRecord: 7,
  event: 9,
  subscriptions: 5,
  users: 1,
  files: [],
  elsewhere: ['/data/secret', '/data/link-keys.json'],
  secret: 'left-out',
}
const WITH_KEYS = { files: ['secret', 'link-keys.json', 'signing-keys.json'], elsewhere: [], secret: 'held' } as const

describe('rollcall backup', () => {
  const openWith = (changes: Partial<BackupOutcome> = {}) => {
    const orders: unknown[] = []
    const { run } = openTestCli({
      backUp: async (order, { onProgress }) => {
        orders.push(order)
        onProgress(1, 2)
        return { ...BACKUP, ...changes }
      },
    })
    return { run, orders }
  }

  it('says that it holds no keys, and which a restore needs', async () => {
    const { exitCode, stdout, stderr } = await openWith().run(['backup', 'b.db'])
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(stdout).toContain(
      'It does not hold /data/secret and /data/link-keys.json. Keep a copy elsewhere: without the secret the backup is of no use',
    )
    expect(stdout).not.toContain('can sign')
  })

  it('says what the file holds, and that its holder can sign', async () => {
    const { run, orders } = openWith(WITH_KEYS)
    const { exitCode, stdout, stderr } = await run(['backup', 'b.db'])
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(stdout.split('\n')).toEqual([
      'Backed up to /backups/b.db, 2.3 MB, and found sound.',
      'It holds 5 subscriptions and 1 user, up to audit record 7 and event 9.',
      'It holds keys as well (secret, link-keys.json and signing-keys.json): anyone who has it can sign.',
      '',
    ])
    await run(['backup', 'b.db', '--replace', '--with-keys'])
    expect(orders).toEqual([
      { file: 'b.db', replace: false, keys: false },
      { file: 'b.db', replace: true, keys: true },
    ])
  })

  it('says that it is of no use without the secret where that is not in it', async () => {
    const { stdout, stderr } = await openWith({ files: [], secret: 'environment' }).run(['backup', 'b.db'])
    expect([stdout, stderr]).toEqual([expect.stringContaining('It does not hold what settings give'), ''])
  })

  it('says on standard error that there is no secret, to machines as well', async () => {
    for (const flags of [[], ['--json']]) {
      const { run } = openWith({ files: [], secret: 'missing' })
      const { exitCode, stdout, stderr } = await run(['backup', 'b.db', ...flags])
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining('The secret is missing')])
      expect(stdout).toContain(flags.length === 0 ? 'Backed up to' : '"secret":"missing"')
    }
  })

  it('ends with 130 where it is interrupted', async () => {
    const controller = new AbortController()
    const { run } = openTestCli({
      backUp: async (_order, { signal }) => {
        controller.abort()
        signal.throwIfAborted()
        throw new Error('It was not told.')
      },
    })
    expect(await run(['backup', 'b.db'], { signal: controller.signal })).toEqual({
      ...{ exitCode: 130, stdout: '', stderr: 'error: Interrupted. No backup was written.\n' },
    })
  })

  it('gives machines all of it as one document', async () => {
    const { auditRecord, ...rest } = BACKUP
    const { stdout } = await openWith().run(['backup', 'b.db', '--json'])
    expect(JSON.parse(stdout)).toEqual({ ...rest, audit_record: auditRecord })
  })
})

describe('rollcall backup --verify', () => {
  const openWith = (digest: VerifyOutcome['digest']) => {
    const orders: unknown[] = []
    const { secret: _, elsewhere: __, ...facts } = BACKUP
    const { run } = openTestCli({
      verifyBackup: async (order) => {
        orders.push(order)
        return { ...facts, digest }
      },
    })
    return { run, orders }
  }

  it('says that every byte is as it was written, and writes nothing', async () => {
    const { run, orders } = openWith('same')
    const { exitCode, stdout, stderr } = await run(['backup', '--verify', 'b.db', '--own', 'account'])
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(stdout).toBe(
      'Every byte is as it was written: /backups/b.db, 2.3 MB.\nIt holds 5 subscriptions and 1 user, up to audit record 7 and event 9.\nIt holds no keys: a restore needs the secret, link-keys.json and signing-keys.json that go with it.\n',
    )
    expect(orders).toEqual([{ file: 'b.db', own: ['account'], onStep: expect.any(Function) }])
  })

  it('says what it is at, where it takes over a second', async () => {
    const { secret: _, elsewhere: __, ...facts } = BACKUP
    const { run } = openTestCli({
      verifyBackup: async ({ onStep }) => {
        onStep('comparing')
        const later = performance.now() + 1_000
        const clock = vi.spyOn(performance, 'now').mockReturnValue(later)
        onStep('checking')
        clock.mockRestore()
        return { ...facts, digest: 'same' }
      },
    })
    expect((await run(['backup', '--verify', 'b.db'])).stderr).toBe('Checking the backup ...\n')
    expect((await run(['backup', '--verify', 'b.db', '--json'])).stderr).toBe('')
  })

  it('warns that a backup of the first release has no digest, machines as well', async () => {
    for (const flags of [[], ['--json']]) {
      const { exitCode, stdout, stderr } = await openWith('none').run(['backup', 'b.db', '--verify', ...flags])
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining('The backup has no digest')])
      expect(stdout).toContain(flags.length === 0 ? 'schema and structure are sound' : '"digest":"none"')
    }
  })

  it('does not go with what writes', async () => {
    for (const flag of ['--replace', '--with-keys'])
      expect((await openWith('same').run(['backup', 'b.db', '--verify', flag])).exitCode).toBe(2)
    expect((await openWith('same').run(['backup', 'b.db', '--own', 'account'])).exitCode).toBe(2)
  })
})

const POINT = { auditRecord: 7, event: 9, subscriptions: 5, users: 2 }
const PLAN: RestorePlan = {
  file: '/backups/b.db',
  backup: POINT,
  digest: 'same',
  replaced: { ...POINT, auditRecord: 8 },
  reapplied: { users: 1, erased: 2, ended: 0, suppressions: 3 },
  caution: undefined,
  silent: [],
  recordsOnly: false,
  lacking: [],
}

describe('rollcall restore', () => {
  const openWith = (changes: Partial<RestoreOutcome> = {}) => {
    const orders: RestoreOrder[] = []
    const agreed: RestorePlan[] = []
    const { run } = openTestCli({
      restore: async (order, agree) => {
        orders.push(order)
        await agree({ ...PLAN, ...changes })
        agreed.push(PLAN)
        return { ...PLAN, files: [], kept: undefined, ...changes }
      },
    })
    return { run, orders, agreed }
  }

  it('asks on a terminal, and shows before what goes, what comes and what is taken out', async () => {
    const { run, agreed } = openWith()
    const { exitCode, stderr } = await run(['restore', 'b.db'], { answers: [['Put the backup in place', 'y\r']] })
    expect(exitCode).toBe(0)
    expect(stderr).toContain('The backup holds 5 subscriptions and 2 users, up to audit record 7 and event 9.')
    expect(stderr).toContain('The database that it replaces holds 5 subscriptions and 2 users, up to audit record 8')
    expect(stderr).toContain('1 user deleted, 2 subscriptions erased, 0 subscriptions ended; 3 suppressions more.')
    expect(agreed).toHaveLength(1)
  })

  it('replaces nothing where the answer is no, or without a terminal', async () => {
    const { run, agreed, orders } = openWith()
    const declined = await run(['restore', 'b.db'], { answers: [['Put the backup in place', 'n\r']] })
    expect([declined.exitCode, agreed]).toEqual([3, []])
    const alone = await run(['restore', 'b.db'])
    expect([alone.exitCode, orders.length]).toEqual([2, 1])
    expect(alone.stderr).toContain('Add --yes')
  })

  it('hands on where deletions are listed, and where the old database goes', async () => {
    const { run, orders } = openWith({ files: ['secret'], kept: '/old.db', replaced: 'unreadable', caution: 'pruned' })
    const lists = ['--tombstones', 'a', '--tombstones', 'b', '--without-tombstones']
    const files = [...lists, '--keep', '/old.db', '--own', 'account']
    const { stdout } = await run(['restore', 'b.db', '--yes', ...files])
    expect(orders).toEqual([
      expect.objectContaining({
        ...{ file: 'b.db', withdrawals: ['a', 'b'], regardless: true, keep: '/old.db', own: ['account'] },
      }),
    ])
    expect(stdout).toContain('cannot be read')
    expect(stdout).toContain('older than the events that are kept')
    expect(stdout).toContain('secret came back with it. What was there is now /old.db')
  })

  it('warns of keys that are nowhere, machines as well', async () => {
    for (const flags of [[], ['--json']]) {
      const { run } = openWith({ lacking: ['/data/link-keys.json is missing'], recordsOnly: true })
      const { stderr } = await run(['restore', 'b.db', '--yes', ...flags])
      expect(stderr).toContain('/data/link-keys.json is missing')
    }
  })

  it('warns of a backup without a digest', async () => {
    const { stderr } = await openWith({ digest: 'none' }).run(['restore', 'b.db', '--yes'])
    expect(stderr).toContain('The backup has no digest')
  })

  it('warns of a file that says nothing of deletions, machines as well', async () => {
    for (const flags of [[], ['--json']]) {
      const { run } = openWith({ silent: ['empty.ndjson'] })
      const { stderr } = await run(['restore', 'b.db', '--yes', '--tombstones', 'empty.ndjson', ...flags])
      expect(stderr).toContain("'empty.ndjson' has nothing from after the backup.")
    }
  })

  it('gives machines all of it as one document', async () => {
    const { stdout } = await openWith().run(['restore', 'b.db', '--yes', '--json'])
    expect(JSON.parse(stdout)).toEqual({
      file: '/backups/b.db',
      backup: { audit_record: 7, event: 9, subscriptions: 5, users: 2 },
      digest: 'same',
      replaced: { audit_record: 8, event: 9, subscriptions: 5, users: 2 },
      reapplied: { users: 1, erased: 2, ended: 0, suppressions: 3 },
      caution: null,
      silent: [],
      records_only: false,
      lacking: [],
      files: [],
      kept: null,
    })
  })
})
