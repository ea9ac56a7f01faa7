import { beforeEach, expect, it, vi } from 'vitest'
import type { Resolve } from '../src/reachable-addresses.ts'
import { resolveApart } from '../src/resolve-apart.ts'

/** A resolver that answers when it is told to. */
const scripted = () => {
  const asked: { host: string; answer: () => void }[] = []
  const resolve: Resolve = (host, _options, done) => {
    asked.push({ host, answer: () => done(null, [{ address: '192.0.2.1', family: 4 }]) })
  }
  const apart = resolveApart(resolve)
  const outcomes: string[] = []
  return {
    outcomes,
    ask: (...hosts: string[]) => {
      for (const host of hosts)
        apart(host, { all: true }, (error) => outcomes.push(`${host} ${error?.message ?? 'ok'}`))
    },
    hosts: () => asked.map(({ host }) => host),
    answer: (host: string) => asked.find((one) => one.host === host)?.answer(),
    forget: () => asked.splice(0),
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

it('asks once for all who want to know the same at a time, and anew for who asks later', () => {
  const { ask, hosts, answer, outcomes } = scripted()
  ask('a', 'a', 'b', 'a')
  expect(hosts()).toEqual(['a', 'b'])
  answer('a')
  expect(outcomes).toEqual(['a ok', 'a ok', 'a ok'])
  ask('a')
  expect(hosts()).toEqual(['a', 'b', 'a'])
})

it('asks for others while one takes long, and for none while two do', () => {
  const { ask, hosts, answer, outcomes } = scripted()
  ask('slow')
  vi.advanceTimersByTime(1_000)
  ask('too')
  vi.advanceTimersByTime(1_000)
  ask('well')
  expect(hosts()).toEqual(['slow', 'too'])
  expect(outcomes).toEqual(['well The target could not be reached: name servers do not answer.'])
  answer('slow')
  ask('well')
  expect(hosts()).toEqual(['slow', 'too', 'well'])
})

it('asks for one at a time of those that took long the last time, until they do not', () => {
  const { ask, hosts, answer, forget } = scripted()
  ask('slow', 'too')
  vi.advanceTimersByTime(1_000)
  for (const host of ['slow', 'too']) answer(host)
  forget()
  ask('slow', 'too', 'well')
  expect(hosts()).toEqual(['slow', 'well'])
  answer('slow')
  forget()
  ask('too')
  answer('too')
  ask('too')
  expect(hosts()).toEqual(['too', 'too'])
})
