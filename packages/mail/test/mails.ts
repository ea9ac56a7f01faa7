import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DEFAULT_FEED, type Feed, type Mail, plainFeed } from '@rollcall/core'
import { onTestFinished } from 'vitest'

export const SETTINGS = { from: 'Rollcall <no-reply@example.com>', publicUrl: 'https://news.example.com' }

export const LINKS = {
  confirm:
    'https://news.example.com/confirm/8127340912345678.0123456789abcdef.1794000000.0123456789abcdef0123456789abcdef',
  refuse:
    'https://news.example.com/refuse/8127340912345678.0123456789abcdef.1794000000.fedcba9876543210fedcba9876543210',
  preferences: undefined,
  unsubscribe: 'https://news.example.com/unsubscribe/8127340912345678.0123456789abcdef0123456789abcdef',
}

export const PREFERENCES =
  'https://news.example.com/preferences/8127340912345678.1794000000.0123456789abcdef0123456789abcdef'

export const MOVE =
  'https://news.example.com/move/8127340912345678.0123456789abcdef.1794000000.0123456789abcdef0123456789abcdef'
export const UNDO =
  'https://news.example.com/undo/8127340912345678.0123456789abcdef.1794000000.0123456789abcdef0123456789abcdef'

export const feed = (other: Partial<Feed> = {}): Feed => ({
  ...plainFeed(DEFAULT_FEED, 0),
  title: 'Weekly news',
  ...other,
})

export const confirmation = (other: Partial<Mail> = {}): Mail => ({
  kind: 'confirmation',
  messageId: '287vl3s6jj2.0123456789abcdef01234567@news.example.com',
  to: 'brian.smith@example.com',
  feed: feed(),
  locale: undefined,
  links: LINKS,
  ...other,
})

export const alreadySubscribed = (other: Partial<Mail> = {}): Mail =>
  confirmation({
    kind: 'already-subscribed',
    links: { confirm: undefined, refuse: undefined, preferences: undefined, unsubscribe: LINKS.unsubscribe },
    ...other,
  })

export const welcome = (other: Partial<Mail> = {}): Mail => alreadySubscribed({ kind: 'welcome', ...other })

export const preferences = (other: Partial<Mail> = {}): Mail =>
  confirmation({
    kind: 'preferences',
    links: { confirm: undefined, refuse: undefined, preferences: PREFERENCES, unsubscribe: LINKS.unsubscribe },
    ...other,
  })

export const move = (other: Partial<Mail> = {}): Mail =>
  confirmation({
    kind: 'move',
    links: { confirm: undefined, refuse: undefined, preferences: undefined, move: MOVE, unsubscribe: undefined },
    ...other,
  })

export const moved = (other: Partial<Mail> = {}): Mail =>
  alreadySubscribed({ kind: 'moved', links: { ...alreadySubscribed().links, undo: UNDO }, ...other })

export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-mail-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
