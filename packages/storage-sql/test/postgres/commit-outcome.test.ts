import { Unavailable } from '@rollcall/core'
import { expect, it } from 'vitest'
import { commitOutcome } from '../../src/postgres/commit-outcome.ts'
import { Connections } from '../../src/postgres/connections.ts'

type Answer = readonly [status: string | null, incarnation: string, alone: boolean]

/** A server that says this, one after another, of a transaction; the last again and again. */
const serverThatSays = (...answers: readonly [Answer | Error, ...(Answer | Error)[]]) => {
  const asked: string[] = []
  const connections = Object.assign(Object.create(Connections.prototype) as Connections, {
    ask: async ({ text }: { readonly text: string }) => {
      asked.push(text)
      const answer = answers[Math.min(asked.length, answers.length) - 1]
      if (answer instanceof Error) throw answer
      return [answer]
    },
  })
  return { connections, asked }
}

const WITNESS = { id: '4294968296', incarnation: 'here' }

it.each([
  [['committed', 'here', true], 'committed'],
  [['committed', 'here', false], 'unknown'],
  [['committed', 'elsewhere', true], 'unknown'],
  [['aborted', 'elsewhere', false], 'undone'],
  [[null, 'here', true], 'unknown'],
] as const)('takes %j for %s', async (answer, outcome) => {
  const { connections, asked } = serverThatSays(answer)
  expect(await commitOutcome(connections, WITNESS)).toBe(outcome)
  expect(asked).toEqual([expect.stringContaining('pg_xact_status')])
})

it('asks again while the server is away or at work, and ends nothing that it does not know', async () => {
  const { connections, asked } = serverThatSays(new Unavailable(), ['in progress', 'here', true], [null, 'here', true])
  expect(await commitOutcome(connections, WITNESS)).toBe('unknown')
  expect(asked).toHaveLength(3)
  expect(asked.join()).not.toContain('pg_terminate_backend')
})

it('takes a number that the server has not come to for undone', async () => {
  const { connections } = serverThatSays(Object.assign(new Error('in the future'), { code: '22023' }))
  expect(await commitOutcome(connections, WITNESS)).toBe('undone')
})
