import { after, before, type Place } from '../plant/kill-at.ts'

/** Where the service can be killed by what is planted in its source, in each of the stores. */
type Places = Readonly<Record<'sqlite' | 'postgres', Place>>

const WRITER = 'packages/storage-sql/src/sqlite/writer.ts'
const TRANSACTION = 'packages/storage-sql/src/postgres/transaction.ts'
const DELIVERY = 'packages/core/src/outbox/deliver-outbox-use-case.ts'

const inBoth = (place: Place): Places => ({ sqlite: place, postgres: place })

/** After a statement that begins like this has been carried out within its transaction. */
const afterStatement = (beginning: RegExp): Places => {
  const written = 'this.#statements.push(statement)'
  const asked = 'async #query({ name, text }: Statement, values: readonly Value[]) {'
  return {
    sqlite: { file: WRITER, find: written, around: before(written), condition: `${beginning}.test(statement.source)` },
    postgres: {
      file: TRANSACTION,
      find: asked,
      around: (kill) => `async #query(statement: Statement, values: readonly Value[]) {
        const answered = await this.#queried(statement, values)
        ${kill}
        return answered
      }
      async #queried({ name, text }: Statement, values: readonly Value[]) {`,
      condition: `${beginning}.test(statement.text)`,
    },
  }
}

const BEGUN = 'this.#begin.run()\n    this.#lost = false\n    const version'
const COMMITTED = 'this.#commits++'
const ANSWER = "ctx.res.setHeader('Content-Type', 'application/json')\n  ctx.body = body"
const CLAIMED = 'const { claimed, mails } = await this.#claim(limit)'
const SENT = 'left()\n'

export const AFTER_BEGIN: Places = {
  sqlite: { file: WRITER, find: BEGUN, around: (kill) => BEGUN.replace('\n', `\n${kill}\n`) },
  postgres: afterStatement(/^BEGIN/).postgres,
}
export const AFTER_ROW: Places = afterStatement(/INSERT INTO subscription /)
export const AFTER_OUTBOX: Places = afterStatement(/^INSERT INTO outbox/)
export const AFTER_COMMIT: Places = {
  sqlite: { file: WRITER, find: COMMITTED, around: before(COMMITTED) },
  postgres: afterStatement(/^COMMIT/).postgres,
}

export const AFTER_CLAIM: Places = inBoth({
  file: DELIVERY,
  find: CLAIMED,
  around: after(CLAIMED),
  condition: 'mails.length > 0',
})
/** After the relay has said that it accepted the mail, before that is written down. */
export const BEFORE_MARK: Places = inBoth({
  file: DELIVERY,
  find: SENT,
  around: after('left()'),
  condition: 'refusal === undefined',
})
/** Where an answer is given; the process dies when half of it is on its way. */
export const ANSWERING: Places = inBoth({
  file: 'packages/http-koa/src/send.ts',
  find: ANSWER,
  around: (kill) => `${kill} ${ANSWER}`,
})
export const HALF_AN_ANSWER = `
  ctx.respond = false
  ctx.res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
  ctx.res.write(body.slice(0, body.length / 2), () => process.kill(process.pid, 'SIGKILL'))
  return
`

const CHECKPOINT = "this.#running ??= this.#ask('checkpoint')"
/** While another thread brings the log into the database file. */
export const CHECKPOINTING: Place = {
  file: 'packages/storage-sql/src/sqlite/checkpoint-thread.ts',
  find: CHECKPOINT,
  around: after(CHECKPOINT),
}
export const IN_A_MOMENT = "setTimeout(() => process.kill(process.pid, 'SIGKILL'), Math.random() * 3)"
/** So that there are many checkpoints, each of a few pages. */
export const OFTEN = [
  {
    file: 'packages/storage-sql/src/sqlite/checkpointer.ts',
    find: 'const LONG_BACKLOG = 16_000',
    replace: 'const LONG_BACKLOG = 60',
  },
  {
    file: 'packages/storage-sql/src/sqlite/checkpointer.ts',
    find: 'const SHORT_BACKLOG = 200',
    replace: 'const SHORT_BACKLOG = 1',
  },
]

const STATEMENT = 'await sql.raw(statement).execute(db)'
/** After each statement of the first migration; armed from the start. */
export const MIGRATING: Places = {
  sqlite: migration('sqlite'),
  postgres: migration('postgres'),
}

function migration(store: 'sqlite' | 'postgres'): Place {
  const file = `packages/storage-sql/src/migrations/${store}/0001-initial.ts`
  const loop = `for (const statement of SCHEMA) ${STATEMENT}`
  return { file, find: loop, around: (kill) => `for (const statement of SCHEMA) { ${STATEMENT}; ${kill} }` }
}
