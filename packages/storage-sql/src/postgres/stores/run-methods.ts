import { FREE } from '../../tables/leases.ts'
import { type AnyMethod, entriesOf, type Methods } from '../../tables/methods.ts'
import { type Ask, type RowStatement, rowStatement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

/** The database's clock, the same for every instance. */
export const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

// Asked once, so that an index ends at the first row that is not due: a volatile function is called for each row.
export const FREE_NOW = FREE.replaceAll('@now', `(SELECT ${NOW})`)

/** The text of a method as PostgreSQL has it. */
export const inPostgres = (text: string): string => {
  let count = 0
  return text.replace(/\+?\?|@now|IN @(?:texts|wholes)/g, (mark) => {
    if (mark === '@now') return NOW
    const value = `$${++count}`
    if (!mark.startsWith('IN')) return value
    // Arrays, and not rows: there is no join then that could go through a table.
    return `= ANY (${value}::${mark === 'IN @texts' ? 'text' : 'bigint'}[])`
  })
}

const statements = { usual: new Map<string, RowStatement<object>>(), locking: new Map<string, RowStatement<object>>() }

/** Each is named once for all connections. */
const statementOf = (text: string, kind: keyof typeof statements = 'usual'): RowStatement<object> => {
  const known = statements[kind].get(text)
  if (known !== undefined) return known
  const made = rowStatement<object>(inPostgres(kind === 'locking' ? `${text} FOR UPDATE` : text))
  statements[kind].set(text, made)
  return made
}

/** What a unit locks before it runs a method, until it ends. */
interface Guard<Parameters extends readonly unknown[]> {
  readonly take: (unit: Transaction, ...parameters: Parameters) => void
  /** `locking`: the rows that are found, too. */
  readonly kind?: keyof typeof statements
}

export type Guards<Port> = {
  readonly [Name in keyof Port]?: Port[Name] extends (...parameters: infer Parameters) => unknown
    ? Guard<Parameters>
    : never
}

type Key<Parameters extends readonly unknown[]> = string | ((...parameters: Parameters) => string | undefined)

const keysFor = <Parameters extends readonly unknown[]>(keys: readonly Key<Parameters>[], parameters: Parameters) =>
  keys.map((key) => (typeof key === 'string' ? key : key(...parameters))).filter((key) => key !== undefined)

/** Locks these keys. */
export const lock = <Parameters extends readonly unknown[]>(...keys: Key<Parameters>[]): Guard<Parameters> => ({
  take: (unit, ...parameters) => unit.lock(...keysFor(keys, parameters)),
})

/** Locks these keys against `lock`, but not against `share`. */
export const share = <Parameters extends readonly unknown[]>(...keys: Key<Parameters>[]): Guard<Parameters> => ({
  take: (unit, ...parameters) => unit.share(...keysFor(keys, parameters)),
})

/**
 * Locks these keys and the rows that are found, so that what is found stays true. The keys as well as the rows, because a
 * row may be absent, and because units that go through many rows lock no keys.
 */
export const firm = <Parameters extends readonly unknown[]>(...keys: Key<Parameters>[]): Guard<Parameters> => ({
  ...lock(...keys),
  kind: 'locking',
})

/** The same for each of a list. */
export const firmEach = <One>(key: (one: One) => string): Guard<[ones: readonly One[]]> => ({
  take: (unit, ones) => unit.lock(...ones.map(key)),
  kind: 'locking',
})

type Run = (...parameters: readonly unknown[]) => Promise<unknown>

/** Makes a port of what each method is on its owner. Units are many: what can be prepared for all of them is. */
const portOf = <Port, Owner>(
  methods: Methods<Port>,
  runOf: (method: AnyMethod, name: string) => (owner: Owner) => Run,
) => {
  const runs = entriesOf(methods).map(([name, method]) => [name, runOf(method, name)] as const)
  return (owner: Owner): Port => {
    const port: Record<string, Run> = {}
    for (const [name, run] of runs) port[name] = run(owner)
    return port as Port
  }
}

export interface Asked {
  readonly ask: Ask
}

/** Stores of described methods, outside of a unit. */
export const postgresReader = <Port>(methods: Methods<Port>): ((asked: Asked) => Port) =>
  portOf(methods, (method) => reading(method))

/** The same of a unit of work. */
export const postgresStore = <Port>(methods: Methods<Port>, guards: Guards<Port> = {}): ((unit: Transaction) => Port) =>
  portOf(methods, (method, name) => {
    const guard = guards[name as keyof Port] as Guard<readonly unknown[]> | undefined
    const reads = method.gives === 'first' || method.gives === 'all'
    return reads ? reading(method, guard) : writing(method, guard)
  })

type AnyGuard = Guard<readonly unknown[]> | undefined

/** Where there is one text, its statement is named at once: in the same order in every process. */
const chooserOf = (text: AnyMethod['text'], guard: AnyGuard) => {
  if (typeof text !== 'string') return (parameters: readonly unknown[]) => statementOf(text(...parameters), guard?.kind)
  const only = statementOf(text, guard?.kind)
  return () => only
}

const reading = ({ gives, text, values, answer }: AnyMethod, guard?: AnyGuard) => {
  const choose = chooserOf(text, guard)
  return (asked: Asked): Run =>
    async (...parameters) => {
      guard?.take(asked as Transaction, ...parameters)
      const rows = await asked.ask(choose(parameters), ...values(...parameters))
      return answer((gives === 'first' ? rows[0] : rows) as never, parameters)
    }
}

const writing = ({ gives, text, values, answer, next }: AnyMethod, guard?: AnyGuard) => {
  const choose = chooserOf(text, guard)
  const goOn = next && writing(next)
  return (unit: Transaction): Run =>
    async (...parameters) => {
      guard?.take(unit, ...parameters)
      if (gives === 'changes')
        return answer((await unit.change(choose(parameters), ...values(...parameters))) as never, parameters)
      unit.write(choose(parameters), ...values(...parameters))
      return await goOn?.(unit)(...parameters)
    }
}
