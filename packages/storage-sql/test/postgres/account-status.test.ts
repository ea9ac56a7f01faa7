import { describe, expect, it, vi } from 'vitest'
import { postgresUserReader } from '../../src/postgres/stores/users.ts'

describe('the status of a caller', () => {
  it('is asked once for all who ask in one turn, and again in the next', async () => {
    const asked: unknown[] = []
    const row = { deleted: false, version: 3, roles: '["admin"]', tokens_not_before: null, suspended_at: null }
    const { accountStatus } = postgresUserReader({
      ask: async (_: unknown, ...values: unknown[]): Promise<never[]> => {
        asked.push(values[1])
        return (values[1] === 'ada' ? [row] : []) as never[]
      },
    })
    const statuses = () => Promise.all(['ada', 'ada', 'bob', 'ada'].map((id) => accountStatus(id)))
    const ada = { roles: ['admin'], version: 3 }
    expect(await statuses()).toEqual([ada, ada, undefined, ada])
    expect(asked).toEqual(['ada', 'bob'])
    expect(await statuses()).toEqual([ada, ada, undefined, ada])
    expect(asked.toSorted()).toEqual(['ada', 'ada', 'bob', 'bob'])
  })

  it('is asked again for one who asks while it is asked', async () => {
    const answers: PromiseWithResolvers<never[]>[] = []
    const { accountStatus } = postgresUserReader({
      ask: () => {
        const answer = Promise.withResolvers<never[]>()
        answers.push(answer)
        return answer.promise
      },
    })
    const first = accountStatus('ada')
    await vi.waitUntil(() => answers.length === 1)
    const later = accountStatus('ada')
    answers[0]?.resolve([])
    expect(await first).toBeUndefined()
    await vi.waitUntil(() => answers.length === 2)
    answers[1]?.resolve([{ deleted: true, roles: null, tokens_not_before: null }] as never[])
    expect(await later).toBe('deleted')
  })

  it('is asked with the token in one statement, once for each token', async () => {
    const asked: unknown[][] = []
    const { accountStatus } = postgresUserReader({
      ask: async (_: unknown, ...values: unknown[]): Promise<never[]> => {
        asked.push(values)
        return [{ deleted: false, revoked: values.includes('stolen'), roles: null, tokens_not_before: null }] as never[]
      },
    })
    const tokens = ['good', 'stolen', 'good', undefined]
    expect(await Promise.all(tokens.map((token) => accountStatus('ada', token)))).toEqual([
      undefined,
      'revoked',
      undefined,
      undefined,
    ])
    expect(asked).toHaveLength(3)
  })
})
