import { addressOf, form, json, type Known, type KnownAddresses } from './known-addresses.ts'

/** A request whose time could tell what is known of an address. */
export interface Question {
  readonly name: string
  /** What may be known: the same answer is to take the same time for each of them. */
  readonly outcomes: readonly string[]
  /** The addresses that it needs. */
  readonly known: readonly Known[]
  /** Whether it is asked under every load, or only under the highest and the lowest. */
  readonly isThorough?: boolean
  bytes(outcome: string, n: number, known: KnownAddresses): Buffer
}

const SIGN_UP: Question = {
  name: 'a sign-up',
  isThorough: true,
  outcomes: ['new', 'suppressed', 'capped', 'confirmed', 'pending'],
  known: [
    { label: 'suppressed', follows: 'refuse' },
    { label: 'confirmed', follows: 'confirm' },
    { label: 'pending' },
    { label: 'capped', isCapped: true },
  ],
  bytes: (outcome, n) => form('/subscribe', { email: addressOf(outcome, n) }),
}

const UNDELIVERABLE: Question = {
  name: 'a sign-up of an undeliverable address',
  outcomes: ['fresh', 'lost', 'lost-pending'],
  known: [
    { label: 'lost', follows: 'confirm', isUndeliverable: true },
    { label: 'lost-pending', isUndeliverable: true },
  ],
  bytes: (outcome, n) => form('/subscribe', { email: addressOf(outcome, n) }),
}

const REMINDED: Question = {
  name: 'a sign-up of an address that is being reminded',
  outcomes: ['unasked', 'asked', 'reminded'],
  known: [{ label: 'asked' }, { label: 'reminded', isReminded: true }],
  bytes: (outcome, n) => form('/subscribe', { email: addressOf(outcome, n) }),
}

const TO_FEEDS: Question = {
  name: 'a sign-up to two feeds',
  outcomes: ['new', 'one known', 'suppressed'],
  known: [
    { label: 'feeds-one_known', follows: 'confirm' },
    { label: 'feeds-suppressed', follows: 'refuse' },
  ],
  bytes: (outcome, n) =>
    json('POST /subscribe', {
      email: addressOf(`feeds-${outcome}`.replace(' ', '_'), n),
      feeds: ['default', 'news'],
    }),
}

const MOVE: Question = {
  name: 'a change of address',
  outcomes: ['new', 'known', 'suppressed', 'capped'],
  known: [
    ...['new', 'known', 'suppressed', 'capped'].map((outcome): Known => {
      return { label: `owner-${outcome}`, follows: 'confirm' }
    }),
    { label: 'to-known', follows: 'confirm' },
    { label: 'to-suppressed', follows: 'refuse' },
    { label: 'to-capped', isCapped: true },
  ],
  bytes: (outcome, n, known) =>
    form(`/preferences/${known.preferencesToken(addressOf(`owner-${outcome}`, n))}/move`, {
      email: addressOf(`to-${outcome}`, n),
    }),
}

const MANAGE: Question = {
  name: 'asking for the preferences',
  outcomes: ['confirmed', 'ended', 'erased', 'capped', 'suppressed'],
  known: [
    { label: 'manage-confirmed', follows: 'confirm' },
    { label: 'manage-ended', follows: 'unsubscribe' },
    { label: 'manage-erased', follows: 'confirm', isErased: true },
    { label: 'manage-capped', follows: 'confirm', isCapped: true },
    { label: 'manage-suppressed', follows: 'refuse' },
  ],
  bytes: (outcome, n, known) => form(`/manage/${known.manageToken(addressOf(`manage-${outcome}`, n))}`, { a: 'b' }),
}

export const QUESTIONS: readonly Question[] = [SIGN_UP, UNDELIVERABLE, REMINDED, TO_FEEDS, MOVE, MANAGE]
