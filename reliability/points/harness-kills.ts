import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '../../packages/storage-sql/src/sqlite/driver.ts'
import type { Random } from '../random.ts'
import type { Fixture } from '../run/fixture.ts'
import { firstAnswer } from '../run/scenario.ts'
import type { Service } from '../service/service.ts'

/** The service to be killed, and its fixture. */
export interface Death {
  readonly fixture: Fixture
  readonly service: Service
  readonly random: Random
}

const LONGEST_DRAIN = 40
const LONGEST_CHECKPOINT = 5
const LONGEST_BACKUP = 60
const BACKUP = 'backup.db'

/** Work that the harness starts, and kills the service during. */
export const HARNESS_KILLS = {
  drain: async (death: Death): Promise<void> => {
    const { service, random } = death
    await someLoad(death)
    service.signal('SIGTERM')
    await sleep(random.between(0, LONGEST_DRAIN))
    service.signal('SIGKILL')
  },
  checkpoint: async (death: Death): Promise<void> => {
    const { fixture, service, random } = death
    await someLoad(death)
    const checkpoint = fixture.store.checkpoint()
    await sleep(random.between(0, LONGEST_CHECKPOINT))
    service.signal('SIGKILL')
    await checkpoint
  },
  /** The command is killed with the service. An earlier backup must stay intact. */
  backup: async ({ fixture, service, random }: Death): Promise<void> => {
    const command = fixture.begin('backup', path.join(fixture.home.folder, BACKUP), '--replace')
    const before = draftsIn(fixture).length
    while (command.isRunning && draftsIn(fixture).length <= before) await sleep(1)
    await sleep(random.between(0, LONGEST_BACKUP))
    service.signal('SIGKILL')
    await command.kill()
    judgeBackup(fixture)
  },
  migration: async (): Promise<void> => {
    throw new Error('kills in migrations have a way of their own')
  },
}

/** After all kills the next backup is complete, and no drafts are left beside it. */
export const backUpAfterAll = async (fixture: Fixture): Promise<void> => {
  await fixture.command('backup', path.join(fixture.home.folder, BACKUP), '--replace')
  judgeBackup(fixture)
  const left = draftsIn(fixture)
  if (left.length > 0) fixture.ledger.report('I7', `backups left ${left.join(', ')} behind`)
}

const someLoad = async ({ fixture, service, random }: Death): Promise<void> => {
  await firstAnswer(fixture.ledger, service)
  await sleep(random.between(0, 200))
}

const draftsIn = ({ home }: Fixture): string[] =>
  readdirSync(home.folder).filter((name) => name.startsWith(BACKUP) && name.endsWith('.part'))

/** If there is a backup, it is complete. A copy is examined, as SQLite leaves files beside a database it opens. */
const judgeBackup = ({ home, ledger }: Fixture): void => {
  const file = path.join(home.folder, BACKUP)
  if (!existsSync(file)) return
  const copy = path.join(home.folder, 'copy-of-backup.db')
  cpSync(file, copy)
  const database = new Connection(copy)
  try {
    const found = database.prepare<[], string>('PRAGMA integrity_check').pluck().all()
    if (found.join() !== 'ok') ledger.report('I7', `the backup is damaged: ${found.join()}`)
    database.prepare('SELECT count(*) FROM subscription').get()
  } finally {
    database.close()
    for (const ending of ['', '-wal', '-shm']) rmSync(`${copy}${ending}`, { force: true })
  }
}
