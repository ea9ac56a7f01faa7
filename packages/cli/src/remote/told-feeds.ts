import { type Feed, parseFeedName, type Sender } from '@rollcall/core'
import type { Told } from './told.ts'

export const toldFeed = (told: Told): Feed => ({
  name: parseFeedName(told.text('name')),
  title: told.text('title'),
  description: told.text('description'),
  language: told.optionalText('language'),
  sender: toldSender(told.optionalText('sender')),
  wordings: told.list('wordings').map((wording) => ({
    version: wording.number('version'),
    text: wording.text('text'),
    since: wording.instant('since'),
  })),
  returnUrls: told.texts('return_urls'),
  confirmedUrl: told.optionalText('confirmed_url'),
  open: told.flag('open'),
  deletingSince: told.optionalInstant('deleting_since'),
  createdAt: told.instant('created_at'),
  updatedAt: told.instant('updated_at'),
})

/** `News <news@example.com>`, or an address alone. */
const toldSender = (mailbox: string | undefined): Sender | undefined => {
  if (mailbox === undefined) return undefined
  const [, name = '', address = mailbox] = /^(.*) <([^<>]*)>$/.exec(mailbox) ?? []
  return { name, address }
}
