import { expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { InvalidInput } from '../src/index.ts'
import { deliver, mailsOf } from './cast.ts'
import { importFile } from './transfers.ts'

// Files of other programs, as people report them to their makers. `left@` must get no mail: the file stops the import, or
// the row is refused. `stay@` may.
const FILES: readonly [who: string, file: string, what: 'stops' | 'refused' | 'both come'][] = [
  ['Keila', 'Email,First name,Status\nleft@example.com,Ann,unreachable\n', 'refused'],
  ['Mailtrain, in numbers', 'email,status\nleft@example.com,2\n', 'refused'],
  ['MailPoet', 'Email,Global status\nstay@example.com,subscribed\nleft@example.com,bounced\n', 'refused'],
  ['a shop', 'Email,Accepts Marketing\nstay@example.com,yes\nleft@example.com,no\n', 'refused'],
  ['a shop in German', 'Email;Newsletter\nstay@example.com;ja\nleft@example.com;nein\n', 'refused'],
  [
    'Klaviyo',
    'Email,Email Marketing Consent\nstay@example.com,SUBSCRIBED\nleft@example.com,NEVER_SUBSCRIBED\n',
    'refused',
  ],
  ['HubSpot', 'Email,Unsubscribed from all email\nleft@example.com,true\n', 'stops'],
  ['Sendy', 'Name,Email,Status\nAnn,left@example.com,Marked as spam\n', 'refused'],
  ['AWeber', 'Email,Stop Time,Status\nleft@example.com,2024-01-01,\n', 'stops'],
  ['ActiveCampaign', 'Email,Bounced Hard,Bounced Soft\nleft@example.com,1,0\n', 'stops'],
  ['CiviCRM', 'Email,No Bulk Emails (User Opt Out)\nleft@example.com,1\n', 'stops'],
  ['Constant Contact', 'Email address,Email permission status\nleft@example.com,Temporary hold\n', 'refused'],
  ['phpList', 'email,confirmed,blacklisted\nleft@example.com,1,1\n', 'stops'],
  ['GetResponse', 'email,removed_on\nleft@example.com,2024-01-01\n', 'stops'],
  ['Drip', 'email,state\nstay@example.com,active\nleft@example.com,undeliverable\n', 'refused'],
  ['MailerLite', 'Subscriber email,Type\nleft@example.com,Junk\n', 'refused'],
  ['a list of one letter', 'email,active\nstay@example.com,Y\nleft@example.com,N\n', 'refused'],
  ['a database', 'email,deleted_at\nleft@example.com,2024-01-01 00:00:00\n', 'stops'],
  ['blanks after commas', 'email, name, opt-in\nstay@example.com, Ann, 1\nleft@example.com, Ben, 0\n', 'refused'],
  ['a byte order mark and semicolons', '\ufeffE-Mail;Abgemeldet am\nleft@example.com;01.02.2024\n', 'stops'],
  [
    'no column that decides',
    '\ufeff"email";" Created "\nstay@example.com; 07/08/2024\nstay2@example.com;NULL\n',
    'both come',
  ],
  ['objects', '{"email":"left@example.com","subscription":{"status":"canceled"}}\n', 'refused'],
]

it.each(FILES)('who left is not mailed: %s', async (_, file, what) => {
  const at = openMemoryService()
  const format = file.startsWith('{') ? 'ndjson' : 'csv'
  const email = /^\ufeff?(?:Name,)?"?((?:Subscriber )?E-?mail(?: address)?)/i.exec(file)?.[1] ?? 'email'
  const names: Record<string, string> = format === 'csv' && email.toLowerCase() !== 'email' ? { email } : {}
  const taken = importFile(at, file, { format, names, mail: 'send' })
  if (what === 'stops') await expect(taken).rejects.toThrow(InvalidInput)
  else expect((await taken).refused).toHaveLength(what === 'refused' ? 1 : 0)
  await deliver(at)
  const mailed = mailsOf(at).map(({ to }) => to)
  expect(mailed).toEqual(['stay@example.com', 'stay2@example.com'].filter((one) => file.includes(one)))
})
