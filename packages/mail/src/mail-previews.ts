import { DAY, type Feed, type FeedLogo, type PreviewedMail, previewMail } from '@rollcall/core'
import { MailTemplates } from './mail-templates.ts'
import { showMail } from './render-mail.ts'

export interface MailPreviewOptions {
  /** Where links in mails begin. */
  readonly publicUrl: string
  readonly templatesDir?: string | undefined
}

const USUAL_LINK_LIFE = 7 * DAY

/** The mails of a feed as its readers get them, with links that lead nowhere. */
export const createMailPreviews = ({ publicUrl, templatesDir }: MailPreviewOptions) => {
  const templates = new MailTemplates(templatesDir)
  const { host } = new URL(publicUrl)
  return {
    languages: templates.languages,
    mail: async (feed: Feed, language: string, kind: PreviewedMail = 'confirmation', logo?: FeedLogo) => {
      const preview = { feed, logo, kind, language, publicUrl, expiresAt: Date.now() + USUAL_LINK_LIFE }
      return showMail({ ...previewMail(preview), messageId: 'preview', to: 'preview' }, { host }, templates)
    },
  }
}
