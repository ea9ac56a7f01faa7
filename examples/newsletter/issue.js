/** The issue that goes out. Its name is that of the file that says who has got it. */
export const issue = { feed: 'weekly', name: '2026-48' }

export const from = 'The weekly letter <letter@news.example.com>'
export const subject = 'What happened in November'

export const textFor = ({ name, unsubscribe_url, manage_url }) =>
  [
    `Hello ${name || 'reader'},`,
    'a lot has happened in November.',
    `Change your subscription: ${manage_url}\nUnsubscribe: ${unsubscribe_url}`,
  ].join('\n\n')
