import { describe, expect, it } from 'vitest'
import { aSubscription, feedName } from '../contract/samples.ts'
import { InvalidInput, type LinkClaims, type Subscription } from '../src/index.ts'
import { decideConfirmation } from '../src/subscriptions/decide-confirmation.ts'

const NOW = Date.UTC(2026, 5, 1)
const FEEDS = ['a', 'b', 'c']

/** The subscription with this id, to the feed a, b or c, in the episode `e`. */
const one = (id: number, changes: Partial<Subscription> = {}) =>
  aSubscription(id, { feed: feedName(FEEDS[id - 1] ?? ''), episode: 'e', expiresAt: NOW + 1, ...changes })
const confirmed = (id: number) => one(id, { status: 'confirmed', confirmedAt: NOW - 1, expiresAt: undefined })
const ended = (id: number) => one(id, { status: 'ended', endedAt: NOW - 1 })
const expired = (id: number) => one(id, { expiresAt: NOW })
const later = (id: number) => one(id, { episode: 'f' })

interface Given {
  readonly stored: readonly Subscription[]
  /** The episode of each member of the group that the link is for; otherwise it is for the first subscription. */
  readonly group?: readonly (string | undefined)[]
  readonly chosen?: readonly string[]
  readonly deleting?: string
}

const decided = ({ stored, group, chosen, deleting }: Given) => {
  const link: LinkClaims = { id: 1, episode: group ? undefined : 'e', group: group && 'ff', expiresAt: NOW + 1 }
  const facts = {
    subscriptions: new Map(stored.map((it) => [it.id, it])),
    members: (group ?? []).map((episode, n) => ({ id: n + 1, episode })),
    standing: new Set(FEEDS.filter((feed) => feed !== deleting).map(feedName)),
  }
  return decideConfirmation(facts, { claims: link, feeds: chosen }, NOW)
}

/** The feeds that are confirmed now, with a plus for those that were pending; or the error. */
const told = (given: Given): string => {
  try {
    const changes = decided(given)
    return changes.confirmed.map((it) => (changes.began.includes(it) ? `+${it.feed}` : it.feed)).join(' ')
  } catch (error) {
    if (error instanceof InvalidInput) expect(error.details).toMatchObject([{ field: 'feeds' }])
    return (error as Error).name
  }
}

describe('a confirmation', () => {
  it.each<[string, Given, string]>([
    ['of what is pending', { stored: [one(1)] }, '+a'],
    ['once more', { stored: [confirmed(1)] }, 'a'],
    ['of what has ended', { stored: [ended(1)] }, 'LinkNotValid'],
    ['of what was asked for again since', { stored: [later(1)] }, 'LinkNotValid'],
    ['of what is erased', { stored: [] }, 'LinkNotValid'],
    ['of a feed that is being deleted', { stored: [one(1)], deleting: 'a' }, 'LinkNotValid'],
    ['once more, of a feed that is being deleted', { stored: [confirmed(1)], deleting: 'a' }, 'a'],
    ['whose link lives longer than it seemed', { stored: [expired(1)] }, '+a'],
    ['that chooses its feed', { stored: [one(1)], chosen: ['a'] }, '+a'],
    ['that chooses another feed', { stored: [one(1)], chosen: ['b'] }, 'InvalidInput'],
    ['that chooses nothing', { stored: [one(1)], chosen: [] }, 'InvalidInput'],

    ['of a group', { stored: [one(1), one(2)], group: ['e', 'e'] }, '+a +b'],
    ['of a group, each in its episode', { stored: [later(1), one(2)], group: ['f', 'f'] }, '+a'],
    ['of a group with others', { stored: [one(1), one(2), one(3)], group: ['e', undefined, 'e'] }, '+a +c'],
    ['of a group, one of them confirmed', { stored: [confirmed(1), one(2)], group: ['e', 'e'] }, 'a +b'],
    ['of a group, one of them ended', { stored: [ended(1), one(2)], group: ['e', 'e'] }, '+b'],
    ['of a group, one of them expired', { stored: [one(1), expired(2)], group: ['e', 'e'] }, '+a'],
    ['of a group, one of them erased', { stored: [one(2)], group: ['e', 'e'] }, '+b'],
    ['of a group, one feed being deleted', { stored: [one(1), one(2)], group: ['e', 'e'], deleting: 'a' }, '+b'],
    ['of a group that is gone', { stored: [one(1)], group: [] }, 'LinkNotValid'],
    ['of a part of a group', { stored: [one(1), one(2)], group: ['e', 'e'], chosen: ['b', 'x'] }, '+b'],
    ['of no part of a group', { stored: [one(1), one(2)], group: ['e', 'e'], chosen: ['c'] }, 'InvalidInput'],
    ['that chooses what is being deleted', { stored: [one(1)], chosen: ['a'], deleting: 'a' }, 'LinkNotValid'],
  ])('%s', (_, given, expected) => expect(told(given)).toBe(expected))

  it('changes no more than the status and its times, and nothing of what is confirmed', () => {
    const changes = { status: 'confirmed', confirmedAt: NOW, endedAt: undefined, expiresAt: undefined }
    expect(decided({ stored: [one(1)] }).confirmed).toEqual([{ ...one(1), ...changes }])
    expect(decided({ stored: [confirmed(1)] }).confirmed).toEqual([confirmed(1)])
  })

  it('says which feeds there are to choose from', () => {
    const given = { stored: [one(1), ended(2), one(3)], group: ['e', 'e', 'e'], chosen: [] }
    expect(() => decided(given)).toThrow(
      expect.objectContaining({ details: [{ field: 'feeds', message: expect.stringContaining(': a, c.') }] }),
    )
  })
})
