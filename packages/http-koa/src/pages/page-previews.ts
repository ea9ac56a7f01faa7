import {
  type AddressHash,
  currentWording,
  type Feed,
  type FeedLogo,
  type LinkSubject,
  type PreviewedPage,
  type PublicFeed,
  type Subscription,
  takesSignUps,
} from '@rollcall/core'
import { DEFAULT_LANGUAGE, type Languages, textsFor } from './language.ts'
import { linkOutcomePage, linkPage } from './link-page.ts'
import { layout, type Page } from './page.ts'
import { type Pages, SHIPPED_PAGES } from './pages.ts'
import { pendingPage, signUpPage } from './sign-up-page.ts'

interface Shown {
  readonly feed: Feed
  readonly logo: FeedLogo | undefined
}

/** The pages of a feed as its readers get them, in each language, as whole documents that lead nowhere. */
export const createPagePreviews = (publicUrl: string, { languages, style }: Pages = SHIPPED_PAGES) => ({
  languages: [...languages.keys()],
  page: (page: PreviewedPage, { feed, logo }: Shown, language?: string): string => {
    const texts = textsFor(languages as Languages, [language, feed.language]) ?? DEFAULT_LANGUAGE
    const shown: PublicFeed = {
      ...feed,
      logo,
      wording: currentWording(feed)?.text,
      open: takesSignUps(feed),
      stamp: '',
    }
    const subject: LinkSubject = { subscription: { ...SAMPLE, feed: feed.name }, feed, logo }
    const make: Readonly<Record<PreviewedPage, () => Page>> = {
      'sign-up': () => signUpPage(texts, [shown], publicUrl),
      pending: () => pendingPage(texts, publicUrl, READER, shown),
      confirm: () => linkPage(texts, 'confirm', subject, publicUrl),
      confirmed: () => linkOutcomePage(texts, 'confirm', 'done', subject, publicUrl),
      unsubscribe: () => linkPage(texts, 'unsubscribe', subject, publicUrl),
      unsubscribed: () => linkOutcomePage(texts, 'unsubscribe', 'done', subject, publicUrl),
    }
    return layout(make[page](), style)
  },
})

const READER = 'reader@example.com'

const SAMPLE: Omit<Subscription, 'feed'> = {
  id: 1,
  email: READER,
  addressKey: READER,
  address: '0'.repeat(32) as AddressHash,
  name: '',
  locale: undefined,
  status: 'pending',
  episode: '',
  createdAt: 0,
  confirmedAt: undefined,
  endedAt: undefined,
  expiresAt: undefined,
  lastMail: undefined,
}
