import { describe, expect, it } from 'vitest'
import { columnSense, valueSense } from '../src/transfer/speaks-of-leaving.ts'

describe('the name of a column', () => {
  it.each([
    ...['unsubscribed', 'unsubscribe', 'unsubscribed_at', 'Unsubscribe Date', 'unsubscription_date', 'UNSUB_TIME'],
    ...['unsubscribedAt', 'isUnsubscribed', 'un-subscribed', 'not_subscribed', 'nonSubscribed', 'No Newsletter'],
    ...['opted out', 'Opted_Out', 'optout', 'email_opt_out', 'optedOutAt', 'opt-outs', 'Do Not Email', 'doNotContact'],
    ...['blacklisted', 'black list', 'blocklisted', 'is_blocked', 'suppressed', 'suppression_reason', 'bounced'],
    ...['hard_bounces', 'bounce_count', 'HardBounced', 'complained', 'complaint', 'complaints', 'spam', 'spam_reports'],
    ...['disabled', 'is_disabled', 'cancelled', 'canceled_at', 'cancellation', 'deleted', 'deleted_at', 'left'],
    'Left on',
    ...['leave_date', 'inactive', 'is_inactive', 'deactivatedAt', 'churned', 'cleaned', 'removed', 'banned'],
    'suspended',
    ...['paused', 'archived', 'expired', 'revoked_at', 'withdrawn', 'rejected', 'ended', 'lapsed', 'invalid', 'locked'],
    ...['Abgemeldet am', 'Abmeldedatum', 'abbestellt', 'gesperrt', 'Gekündigt', 'gelöscht', 'désinscrit', 'Désabonné'],
    ...['bloqué', 'Baja', 'cancelado', 'subscription.unsubscribed_at', 'Sperrvermerk', 'Mailsperre'],
    ...['Kein Newsletter', 'ohne Newsletter', 'Keine Werbung', 'Keine E-Mails', 'Nicht kontaktieren'],
    'Pas de newsletter',
    ...['Sans newsletter', 'Sin newsletter', 'Ne pas contacter', 'Werbewiderspruch', 'Werbesperre', 'Mailverbot'],
    'radié',
    ...['Austrittsdatum', 'ausgetreten', 'verstorben', 'Opposition', 'Oposición', 'Date de départ', 'Fecha de salida'],
    ...['Exit date', 'Departure date', 'member until', 'Valid until', 'End date', 'Last working day', 'Account expiry'],
  ])('%s speaks of leaving', (name) => {
    expect(columnSense(name)).toBe('leaving')
  })

  it.each([
    ...['type', 'Type', 'state', 'status', 'subscription_status', 'Email Status', 'subscriber_state', 'subscribed'],
    ...['subscription', 'active', 'is_active', 'enabled', 'accepts_marketing', 'Accepts Email Marketing', 'opt_in'],
    ...['mailing', 'Mailings', 'mail_opt', 'Email Opt'],
    ...['optedIn', 'newsletter', 'Newsletters', 'gdpr_consent', 'permission', 'wants mails', 'allow_email', 'aktiv'],
    ...['Erlaubnis zum Marketing', 'subscription.status', 'abonné', 'Werbeeinwilligung', 'Zustimmung', 'DSGVO', 'RGPD'],
    ...['Acepta', 'Autoriza'],
  ])('%s says whether people stay', (name) => {
    expect(columnSense(name)).toBe('standing')
  })

  it.each([
    ...['notes', 'metadata', 'tags', 'referrer_url', 'creation_date', 'secondary_id', 'source', 'utm_campaign'],
    'First Name',
    ...['Subscription Tier', 'country', 'Phone', 'email_type', 'updated_at', 'opt_in_ip', 'column 3'],
    ...['subscription_id', 'company', 'id', 'Kundennummer', 'customer_no', 'notice', 'customer_no_1'],
    ...['Department', 'Département', 'Departamento', 'Radio', 'weekend'],
  ])('%s says neither', (name) => {
    expect(columnSense(name)).toBe('other')
  })
})

it.each(['subscribed_at', 'OPTIN_TIME', 'consent_date'])('%s says since when people stay', (name) => {
  expect(columnSense(name)).toBe('dated')
})

describe('a value', () => {
  const LEFT = [
    ...['unsubscribed', 'Unsubscribed', 'UNSUBSCRIBED ', 'unsubscribed by link', 'opted-out', 'optout', 'churned'],
  ]
  const MORE = ['inactive', 'cleaned', 'HardBounce', 'soft_bounce', 'SpamComplaint', 'ManualSuppression', 'blocklisted']
  const LAST = ['cancelled', 'deleted', 'do not contact', 'abgemeldet', 'gelöscht', 'désinscrit', 'baja']

  it.each([...LEFT, ...MORE, ...LAST])('%s speaks of leaving, in any column', (value) => {
    for (const column of ['standing', 'other'] as const) expect(valueSense(value, column)).toBe('left')
  })

  it.each(['vip, unsubscribed', 'weekly;cleaned', 'a|Bounced'])('%s has a word for it in a list', (value) => {
    expect(valueSense(value, 'other')).toBe('left')
  })

  it.each(['no', 'false', 'FALSCH', '0', 'n', 'non', 'off', 'never'])(
    '%s means leaving where staying is asked',
    (value) => {
      expect([valueSense(value, 'standing'), valueSense(value, 'other')]).toEqual(['left', 'harmless'])
    },
  )

  it.each([
    ...['', 'yes', 'TRUE', 'wahr', '1', 'Active', 'regular', 'unactivated', 'subscribed', 'pending', 'double opt-in'],
    ...['2024-01-10T08:30:00+00:00', '10.01.2026 08:30', 'Mon, 5 Feb 2024 10:00 PM', '2 févr. 2024', 'free', 'premium'],
  ])('%j says that the person stays, or nothing', (value) => {
    expect([valueSense(value, 'standing'), valueSense(value, 'other')]).toEqual(['harmless', 'harmless'])
  })

  it.each(['CA', 'Platinum', '3', 'S', 'unknown', 'ausgetragen', '未確認', '?', '2024-05-01 gone', '1,2,3'])(
    '%s is not understood where staying is asked',
    (value) => {
      expect([valueSense(value, 'standing'), valueSense(value, 'other')]).toEqual(['unclear', 'harmless'])
    },
  )
})

describe('a part of something that people stay with', () => {
  it.each(['newsletter.weekly', 'user.subscriptions.issues.weekly'])('%s: no to it is no', (name) => {
    const sense = columnSense(name)
    expect([sense, valueSense('false', sense), valueSense('true', sense), valueSense('Platinum', sense)]).toEqual([
      ...['part', 'left', 'harmless', 'harmless'],
    ])
  })
  it.each(['newsletter.id', 'address.street', 'weekly', 'v1.2'])('%s is none', (name) => {
    expect(columnSense(name)).toBe('other')
  })
  it('takes in and out for what they say', () => {
    const sense = columnSense('Opt')
    expect([valueSense('out', sense), valueSense('in', sense)]).toEqual(['left', 'harmless'])
  })
})

it.each(['disiscritto', 'Uitgeschreven', 'Descadastrado em', 'afgemeld', 'Отписан', '配信停止', 'avmeldt'])(
  '%s is the word in another language, as a name and as a value',
  (word) => {
    expect([columnSense(word), valueSense(word, 'other')]).toEqual(['leaving', 'left'])
  },
)
