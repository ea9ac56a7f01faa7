import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Home } from './running-service.ts'

/** A few in every run; a hundred to be sure. */
const CYCLES = Number(process.env.TEST_BACKUP_CYCLES ?? 3)
const CLIENTS = 8

interface Row {
  readonly id: number
  readonly name: string
}

/** What clients read in answers, by address. */
class Ledger {
  readonly acknowledged = new Map<string, Row>()
  readonly sent = new Map<string, string>()
  #next = 0
  #stopped = false

  stop(): void {
    this.#stopped = true
  }

  async signUp(home: Home): Promise<void> {
    while (!this.#stopped) {
      const n = this.#next++
      const [email, name] = [`person-${n}@example.com`, `Person ${n}`]
      this.sent.set(email, name)
      const answer = await home.signUp(email, { name })
      expect(answer.status).toBe(200)
      const { subscription } = (await answer.json()) as { subscription: Row }
      this.acknowledged.set(email, { id: subscription.id, name })
    }
  }
}

const look = (file: string) => {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const rows = database.prepare('SELECT id, email, name FROM subscription').all() as unknown as (Row & {
      email: string
    })[]
    const value = (sql: string) => Object.values(database.prepare(sql).get() ?? {})[0]
    return {
      rows: new Map(rows.map(({ email, id, name }) => [email, { id, name }])),
      sound: value('PRAGMA integrity_check'),
      // Under load there are some that have no number yet.
      events: value('SELECT count(position) FROM event'),
      newest: value('SELECT max(position) FROM event'),
      orphans: value('SELECT count(*) FROM consent WHERE subscription NOT IN (SELECT seq FROM subscription)'),
      silent: value('SELECT count(*) FROM subscription WHERE seq NOT IN (SELECT subscription FROM consent)'),
    }
  } finally {
    database.close()
  }
}

describe('a backup under load', () => {
  it(`holds, ${CYCLES} times, all that was acknowledged before it, nothing that was not sent, and each row whole`, async () => {
    await using home = await Home.make({ LOG_LEVEL: 'warn' })
    await home.serve()
    const ledger = new Ledger()
    const clients = Array.from({ length: CLIENTS }, () => ledger.signUp(home))
    const file = path.join(home.folder, 'backup.db')
    try {
      for (let cycle = 0; cycle < CYCLES; cycle++) {
        await sleep(200)
        const before = new Map(ledger.acknowledged)
        const { code, stdout, stderr } = await home.run('backup', file, '--replace', '--with-keys', '--json')
        expect([code, stderr]).toEqual([0, ''])
        const report = JSON.parse(stdout)
        const { rows, ...facts } = look(file)
        expect(facts).toEqual({ sound: 'ok', events: report.event, newest: report.event, orphans: 0, silent: 0 })
        expect(report).toMatchObject({
          subscriptions: rows.size,
          files: ['secret', 'link-keys.json', 'signing-keys.json'],
        })
        expect([...before].filter(([email, row]) => rows.get(email)?.id !== row.id)).toEqual([])
        expect([...rows].filter(([email, { name }]) => ledger.sent.get(email) !== name)).toEqual([])
      }
    } finally {
      ledger.stop()
      await Promise.all(clients)
    }
    expect(ledger.acknowledged.size).toBeGreaterThan(CYCLES * 10)
  })
})
