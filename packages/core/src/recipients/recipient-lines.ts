import type { Feed } from '../feeds/feed.ts'
import { visible } from '../feeds/visible-fields.ts'
import type { LinkTokens } from '../links/link-token.ts'
import { timestamp } from '../published/timestamp.ts'
import type { Recipient } from '../subscriptions/subscription.ts'
import { idInDecimal } from '../subscriptions/subscription-id.ts'

interface Means {
  readonly tokens: LinkTokens
  readonly publicUrl: string
  /** The right side of the ids of lists, as in our own mails. */
  readonly domain: string
}

/**
 * Writes recipients of a feed as lines of JSON. Put together here: what is the same in each of them is written down once,
 * because a list may have millions.
 */
export const recipientLines = (feed: Feed, { tokens, publicUrl, domain }: Means): ((one: Recipient) => string) => {
  const unsubscribe = inJson(`${publicUrl}/unsubscribe/`)
  const manage = inJson(`${publicUrl}/manage/`)
  const listId = JSON.stringify(listIdOf(feed, domain))
  const end = `>","List-Unsubscribe-Post":"List-Unsubscribe=One-Click","List-Id":${listId}}}\n`
  return (one) => {
    const { id, email, name, locale, fields, confirmedAt } = visible(one, feed)
    const toUnsubscribe = unsubscribe + tokens.signId('unsubscribe', id)
    const values = fields === undefined ? '{}' : JSON.stringify(fields)
    return `{"id":${idInDecimal(id)},"email":${JSON.stringify(email)},"name":${JSON.stringify(name)},"locale":${
      locale === undefined ? 'null' : JSON.stringify(locale)
    },"fields":${values},"confirmed_at":"${timestamp(confirmedAt)}","unsubscribe_url":"${toUnsubscribe}","manage_url":"${manage}${tokens.signId('manage', id)}","headers":{"List-Unsubscribe":"<${toUnsubscribe}${end}`
  }
}

/** A text as it stands between the quotation marks of JSON. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/** What can be in a header as it is. */
const PLAIN = /^[\x20-\x7e]{1,200}$/

/**
 * The id that our own mails have; with the title in front if a header can have it as it is.
 * @see RFC 2919
 */
const listIdOf = ({ name, title }: Feed, domain: string): string => {
  const id = `<${name}.${domain}>`
  if (!PLAIN.test(title) || title.includes('=?')) return id
  return `"${title.replace(/[\\"]/g, '\\$&')}" ${id}`
}
