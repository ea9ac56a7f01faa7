import { describe, expect, it } from 'vitest'
import { InvalidInput } from '../src/errors.ts'
import { SUBSCRIPTION_COLUMNS } from '../src/transfer/column-guards.ts'
import { columnSense } from '../src/transfer/speaks-of-leaving.ts'
import { UnusedColumns } from '../src/transfer/unused-columns.ts'

/** What stops an import, before it begins or at the first row. */
const isRefused = (name: string, value: string): boolean => {
  const unused = new UnusedColumns(SUBSCRIPTION_COLUMNS)
  try {
    unused.note([[name, value]])
    unused.requireHarmless([[name, value]])
    return false
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    return true
  }
}

const LEAVING: Readonly<Record<string, string>> = {
  'in other languages': 'Avprenumererad,Leiratkozott,Résilié le,Date de résiliation,Odjavljen',
  HubSpot:
    'hs_email_optout,Unsubscribed from all email,hs_email_hard_bounce_reason_enum,hs_email_quarantined,hsemailoptout',
  Salesforce: 'HasOptedOutOfEmail,DoNotCall,IsDeleted,IsEmailBounced,EmailBouncedDate,et4ae5__HasOptedOutOfMobile__c',
  Marketo: 'unsubscribedReason,emailInvalid,blackListed,marketingSuspended,emailsuspended',
  Pardot: 'opted_out,is_do_not_email,pardot_hard_bounced,isdonotemail',
  Dynamics: 'donotemail,donotbulkemail,donotphone,DoNotSendMM,donotcontact',
  Mailchimp: 'UNSUB_TIME,UNSUB_REASON,CLEAN_TIME',
  Brevo: 'emailBlacklisted,smsBlacklisted,EMAILBLACKLISTED',
  CiviCRM: 'do_not_mail,is_opt_out,is_deceased,on_hold,No Bulk Emails (User Opt Out)',
  Mailman: 'nomail,nonewsletter',
  Iterable: 'unsubscribedChannelIds,emailListUnsubscribed',
  Intercom: 'unsubscribed_from_emails,has_hard_bounced,marked_email_as_spam,hasHardBounced',
  phpList: 'blacklisted,bouncecount,disabled,userblacklisted',
  vTiger: 'emailoptout,donotcall',
  SuiteCRM: 'email_opt_out,invalid_email',
  Zoho: 'Email_Opt_Out,Unsubscribed_Mode',
  Klaviyo: 'Email Suppressions,emailsuppressed',
  Ghost: 'email_disabled,emaildisabled',
  Braze: 'email_hard_bounced_at,emailUnsubscribedAt',
  Lyris: 'DateHeld,held,Date Unsubscribed',
  CleverReach: 'deactivated,Deaktiviert',
  Episerver: 'Robinsonliste',
  Sarbacane: 'NPAI,Plaintes',
  elsewhere: '購読停止,退订,Abonelikten çıktı',
  written:
    'hasoptedoutofemail,isunsubscribed,isinactive,isdeleted,userdeleted,isbounced,hascomplained,isblocked,isnotsubscribed,newsletteroff,marketing_off,reportedspam,nomarketing,isunreachable,disallowed',
  German: 'NewsletterAbmeldung,istabgemeldet,geloescht_am,gekuendigt,Newslettergesperrt',
  French: 'estdesinscrit,newsletterDesabonne',
}

/** Each with a value that means that the person left, or is not understood. */
const STANDING: Readonly<Record<string, string>> = {
  0: 'isactive,gdpr,confirmed,activated,emailoptin,isEnabled,newsletter_on,marketing_on,is_subscribed,issubscribed,OPT_IN',
  false:
    'is_email_subscriber,email_digests,marketing_on,newsletterOn,userisactive,acceptsmarketing,hasconsent,subscribed_on,is_valid',
  no: 'GDPR,Verified,Is the email of this user confirmed,DOUBLE_OPT-IN,emailconsent,subscribed_at,wants_newsletter,send_emails,marketing_permission_date',
  asleep: 'emailstatus,Marketing contact status,hs_marketable_status,subscriberstatus,newsletter_on',
  // As other services write it of who left, in a column of any name.
  held: 'Member Type',
  nomail: 'Membership Kind,SubType_',
  paused: 'Email delivery',
  Abgelehnt: 'Berechtigung',
  '': 'Receiving emails for,Can Receive Email Marketing',
  '-': 'gdprconsent,Can Receive Email Marketing,optin_time,mailingallowed,canemail',
}

/** Each with a value that it may have for somebody who stays. */
const HARMLESS: Readonly<Record<string, string>> = {
  "['email']": '$consent',
  email: 'Subscription type',
  '': 'Accepts Email Marketing,activated,newsletters',
  '2024-05-01 10:00:00': 'OPTIN_TIME,subscribed_at,subscribed_on,newsletter_on,LAST_CHANGED,createdate',
  'May 1, 2024': 'Subscribed on,marketing_date,Adoption Date,Deadline',
  20240501: 'optin_time,consent_date',
  1714550400: 'optin_time,subscribedat,last_active_at,Total Orders',
  '192.0.2.1': 'OPTIN_IP,CONFIRM_IP,optinip,IP_ADDRESS',
  1: 'isactive,emailoptin,newsletter_on,marketing_on,issubscribed,No. of Orders,interactive',
  0: 'loginactivity,open_rate,MEMBER_RATING,num_associated_deals,dstoff,download_count,Locker',
  no: 'optional_note,options,Blockchain Wallet,hash,island,issue,is_company,has_children',
  CA: 'Province Code,REGION,State Code,Zip,Default Address City,TIMEZONE,CC,washington,GMTOFF,antispam_score',
  x: 'First Name,Resilience Score,LEID,EUID,TAGS,Lifecycle Stage,utm_source,stripe_customer_id,Contact Owner',
  y: 'Kundennummer,Nationality,Location,Notification Email,Subscription Tier,laptop,complimentary_plan',
}

const pairs = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).flatMap(([value, names]) => names.split(',').map((name) => [name, value] as const))

describe('columns as services name them', () => {
  it.each(Object.values(LEAVING).flatMap((names) => names.split(',')))('%s speaks of leaving', (name) => {
    expect([columnSense(name), isRefused(name, '')]).toEqual(['leaving', true])
  })

  it.each(pairs(STANDING))('%s is refused with %s', (name, value) => {
    expect([columnSense(name) === 'leaving', isRefused(name, value)]).toEqual([false, true])
  })

  it.each(pairs(HARMLESS))('%s is taken with %s', (name, value) => {
    expect(isRefused(name, value)).toBe(false)
  })
})
