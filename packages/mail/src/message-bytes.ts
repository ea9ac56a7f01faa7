import type { Mail } from '@rollcall/core'
import MailComposer from 'nodemailer/lib/mail-composer'
import { composeMail } from './compose-mail.ts'
import type { MailOrigin } from './mail-origin.ts'
import type { MailTemplates } from './mail-templates.ts'

/** The whole message as it would go over the wire. */
export const messageBytes = async (mail: Mail, origin: MailOrigin, templates: MailTemplates): Promise<Uint8Array> =>
  await new MailComposer(composeMail(mail, origin, templates)).compile().build()
