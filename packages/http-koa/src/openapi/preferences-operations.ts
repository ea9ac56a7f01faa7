import { BODY_ERRORS, type Operation, type Route } from './operation.ts'

/** Requests that the owner of an address may make. */
export const PREFERENCES_OPERATIONS = {
  'GET /preferences': {
    id: 'showPreferencesForm',
    summary: 'The page where an address asks for the link to its preferences.',
    answers: { 200: 'page' },
    errors: [],
  },
  'POST /preferences': {
    id: 'requestPreferences',
    summary: 'Have the link to its preferences mailed to an address. Whatever is known of it, the answer is the same.',
    body: 'PreferencesRequestForm',
    answers: { 200: 'Message' },
    orPage: true,
    errors: [...BODY_ERRORS, 'InvalidInput', 'TooManyRequests'],
  },
  'GET /preferences/{token}': {
    id: 'showPreferences',
    summary: 'What is subscribed with the address that the link was mailed to. Changes nothing.',
    answers: { 200: 'Preferences' },
    orPage: true,
    errors: ['LinkNotValid', 'TooManyRequests'],
  },
  'POST /preferences/{token}': {
    id: 'changePreferences',
    summary: 'Subscribe to or end one feed, end or erase everything, or say whether mails may come again.',
    body: 'PreferencesForm',
    answers: { 200: 'PreferencesChange' },
    orPage: true,
    errors: [...BODY_ERRORS, 'LinkNotValid', 'InvalidInput', 'TooManyRequests'],
  },
  'GET /preferences/{token}/export': {
    id: 'exportPreferences',
    summary: 'Everything that is stored about the address that the link was mailed to, to be kept as a file.',
    answers: { 200: 'StoredAboutAddress' },
    errors: ['LinkNotValid', 'TooManyRequests'],
  },
} as const satisfies Record<Route, Operation>
