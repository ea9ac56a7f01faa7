import type { Mail, ShownMail } from '@rollcall/core'
import type { MailOrigin } from './mail-settings.ts'
import type { MailTemplates } from './mail-templates.ts'
import { showMail } from './render-mail.ts'

/** A mail as its reader sees it, with the message that goes over the wire. */
export const shownMail = async (mail: Mail, origin: MailOrigin, templates: MailTemplates): Promise<ShownMail> => {
  // Loading nodemailer takes longer than all the rest.
  const { composeMail } = await import('./compose-mail.ts')
  return { ...showMail(mail, origin, templates), message: composeMail(mail, origin, templates).bytes }
}
