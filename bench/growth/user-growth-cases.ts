import { cp } from 'node:fs/promises'
import path from 'node:path'
import { type BenchCase, outside, tooFew } from '../cases/bench-case.ts'
import { deletions } from '../cases/traffic.ts'
import type { Cores } from '../command.ts'
import type { Options } from '../options.ts'
import { makeTemplate } from '../rollcall/make-template.ts'
import { databaseIn, issueToken, rollcall } from '../rollcall/rollcall.ts'
import { countRows } from '../rows.ts'
import { addUsers } from './add-users.ts'

interface Order {
  readonly options: Options
  readonly scratch: string
  readonly cores: Cores
}

/** Deletions, refused and done, where there are hardly any users but those, and where there are many. */
export const userGrowthCases = (order: Order): readonly BenchCase[] => {
  const few = usersBeside(order, 'small', 0)
  const many = usersBeside(order, 'large', order.options.rows)
  return [few.refused, many.refused, few.done, many.done]
}

const usersBeside = ({ options, scratch, cores }: Order, size: 'small' | 'large', others: number) => {
  const { users } = options
  const all = (users + others).toLocaleString('en-US')
  const template = path.join(scratch, `users-${size}`)
  let made: Promise<string> | undefined
  const make = async (): Promise<string> => {
    const token = await makeTemplate(template, { subject: 'bench-admin', roles: ['admin'], users }, cores)
    if (others > 0) addUsers(databaseIn(template), others)
    return token
  }
  const prepare = async (): Promise<string> => {
    made ??= make()
    return await made
  }
  const begin = async (folder: string) => {
    await prepare()
    await cp(template, folder, { recursive: true })
    return await rollcall(folder, {})
  }
  const refused: BenchCase = {
    name: `growth-users-403-${size}`,
    title: `DELETE 403, Rollcall, ${all} users`,
    status: 403,
    prepare: async () => {
      await prepare()
    },
    trial: async (folder) => {
      const server = await begin(folder)
      const token = await issueToken(folder, 'bench-reader')
      return { server, traffic: deletions({ Authorization: `Bearer ${token}` }), end: 'SIGTERM' }
    },
  }
  const done: BenchCase = {
    name: `growth-users-204-${size}`,
    title: `DELETE 204, Rollcall, ${all} users`,
    status: 204,
    prepare: refused.prepare,
    trial: async (folder) => {
      const server = await begin(folder)
      const count = (query: string): number => countRows(databaseIn(folder), query)
      return {
        server,
        traffic: deletions({ Authorization: `Bearer ${await prepare()}` }),
        end: 'SIGKILL',
        disagreements: async (counts) => [
          ...tooFew(users, counts),
          ...outside('tombstones', count('SELECT count(*) FROM tombstone'), counts),
        ],
      }
    },
  }
  return { refused, done }
}
