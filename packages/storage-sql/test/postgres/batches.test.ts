import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import { Unavailable } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { Batches } from '../../src/postgres/batches.ts'

/** Batches of texts such as `ada>bob`: Ada changes Bob. Each is answered by hand. */
const open = (most = 10) => {
  const sent: string[][] = []
  const answers: ((error?: unknown) => void)[] = []
  const batches = new Batches<string, string>({
    most,
    sends: 2,
    send: (given) => {
      sent.push([...given])
      return new Promise((resolve, reject) => {
        answers.push((error) => (error === undefined ? resolve(given.map((one) => `${one}!`)) : reject(error)))
      })
    },
    keysOf: (given) => {
      const [asks = '', changes = ''] = given.split('>')
      return { asks, changes }
    },
  })
  const turns = async () => {
    for (let n = 0; n < 3; n++) await nextTurnOfTheLoop()
  }
  return { batches, sent, answers, turns }
}

describe('batches', () => {
  it('have all that comes in one turn, two at a time, and what comes meanwhile in the next', async () => {
    const { batches, sent, answers, turns } = open()
    const given = [batches.give('r>a'), batches.give('r>b')]
    await turns()
    given.push(batches.give('r>c'))
    await turns()
    given.push(batches.give('r>d'), batches.give('r>e'))
    await turns()
    expect(sent).toEqual([['r>a', 'r>b'], ['r>c']])
    answers[0]?.()
    await turns()
    expect(sent[2]).toEqual(['r>d', 'r>e'])
    for (const answer of answers) answer()
    expect(await Promise.all(given)).toEqual(['r>a!', 'r>b!', 'r>c!', 'r>d!', 'r>e!'])
  })

  it('have at most so many, and reject together', async () => {
    const { batches, sent, answers, turns } = open(2)
    const given = ['r>a', 'r>b', 'r>c'].map((one) => batches.give(one))
    const settled = Promise.allSettled(given)
    await turns()
    expect(sent).toEqual([['r>a', 'r>b'], ['r>c']])
    answers[0]?.(new RangeError('no'))
    answers[1]?.()
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  })

  it.each([
    ['two changes of one', ['r>a', 's>a'], [['r>a'], ['s>a']]],
    ['a change of one who asks', ['a>b', 'r>a'], [['a>b'], ['r>a']]],
    ['what is asked by one who is changed', ['r>a', 'a>b'], [['r>a'], ['a>b']]],
    ['a change of oneself', ['a>a', 'a>b'], [['a>a'], ['a>b']]],
    ['others do not wait for that', ['r>a', 's>a', 't>b'], [['r>a', 't>b'], ['s>a']]],
    ['many by one', ['r>a', 'r>b', 'r>c'], [['r>a', 'r>b', 'r>c']]],
  ])('keep the order of %s', async (_, requests, expected) => {
    const { batches, sent, answers, turns } = open()
    const given = requests.map((one) => batches.give(one))
    await turns()
    expect(sent).toEqual([expected[0]])
    answers[0]?.()
    await turns()
    expect(sent).toEqual(expected)
    answers[1]?.()
    await Promise.all(given)
  })

  it('refuse what waits if there is no server, and what comes once they are closed', async () => {
    const { batches, answers, turns } = open(1)
    const given = ['r>a', 'r>b', 'r>c'].map((one) => batches.give(one))
    const settled = Promise.allSettled(given)
    await turns()
    batches.refuseWaiting(new Error('gone'))
    const closing = batches.close()
    await expect(batches.give('r>d')).rejects.toBeInstanceOf(Unavailable)
    for (const answer of answers) answer()
    await closing
    expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  })
})
