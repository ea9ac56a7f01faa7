import { BODY_ERRORS, type Operation, page, type Route } from './operation.ts'

/** Requests of the owner of an address: what it subscribes to, and where it moves to. */
export const PREFERENCES_OPERATIONS = {
  'GET /preferences': page('showPreferencesForm', 'The page where an address asks for the link to its preferences.'),
  'POST /preferences': {
    id: 'requestPreferences',
    summary: 'Have the link to its preferences mailed to an address. Whatever is known of it, the answer is the same.',
    body: 'PreferencesRequestForm',
    answers: { 200: 'Message' },
    orPage: true,
    errors: ['TooManyRequests'],
  },
  'GET /preferences/{token}': {
    id: 'showPreferences',
    summary: 'What is subscribed with the address that the link was mailed to. Changes nothing.',
    answers: { 200: 'Preferences' },
    orPage: true,
  },
  'POST /preferences/{token}': {
    id: 'changePreferences',
    summary: 'Subscribe to or end one feed, end or erase everything, or say whether mails may come again.',
    body: 'PreferencesForm',
    answers: { 200: 'PreferencesChange' },
    orPage: true,
  },
  'POST /preferences/{token}/move': {
    id: 'requestMove',
    summary:
      'Ask to move the confirmed subscriptions to another address, which gets a mail with a link to confirm that. Whatever is known of it, the answer is the same.',
    body: 'MoveForm',
    answers: { 200: 'Message' },
    orPage: true,
    errors: ['TooManyRequests'],
  },
  'GET /move/{token}': page('showMove', 'A page with a button that moves the subscriptions. Changes nothing.'),
  'POST /move/{token}': {
    id: 'carryOutMove',
    summary: 'Move the confirmed subscriptions of the old address to this one. Idempotent.',
    idempotent: true,
    answers: { 200: 'Message' },
    orPage: true,
    errors: BODY_ERRORS,
  },
  'GET /undo/{token}': page('showUndo', 'A page with a button that undoes a change of address. Changes nothing.'),
  'POST /undo/{token}': {
    id: 'undoMove',
    summary:
      'Undo a change of address, within seven days: the subscriptions that it has made end, the old ones are confirmed.',
    idempotent: true,
    answers: { 200: 'Message' },
    orPage: true,
    errors: BODY_ERRORS,
  },
  'GET /preferences/{token}/export': {
    id: 'exportPreferences',
    summary: 'Everything that is stored about the address that the link was mailed to, to be kept as a file.',
    answers: { 200: 'StoredAboutAddress' },
  },
} as const satisfies Record<Route, Operation>
