import { currentWording, type Feed } from '@rollcall/core'
import type { MailTheme } from './mail-colours.ts'
import { MailTemplates } from './mail-templates.ts'

export interface MailPreviewOptions {
  /** Where links in mails begin. */
  readonly publicUrl: string
  readonly templatesDir?: string | undefined
  readonly theme?: MailTheme | undefined
}

/** What a feed sends of its own accord. */
export type PreviewedMail = 'confirmation' | 'reminder' | 'already-subscribed'

/** The mails of a feed as its readers get them, with links that lead nowhere. */
export const createMailPreviews = ({ publicUrl, templatesDir, theme }: MailPreviewOptions) => {
  const templates = new MailTemplates(templatesDir, theme)
  const link = (name: string) => `${publicUrl}/${name}/preview`
  const links = {
    confirm: link('confirm'),
    refuse: link('refuse'),
    unsubscribe: link('unsubscribe'),
    preferences: link('preferences'),
  }
  return {
    languages: templates.languages,
    mail: async (feed: Feed, language: string, kind: PreviewedMail = 'confirmation') => {
      const text = currentWording(feed)?.text
      return templates.find(kind, [language])({
        feed: { name: feed.name, title: feed.title, description: feed.description },
        host: new URL(publicUrl).host,
        links,
        feeds: [],
        wording: text === undefined ? undefined : { lines: text.split('\n').filter(Boolean) },
      })
    },
  }
}
