/** As Amazon's documentation has them, with other addresses and times. */
export const BOUNCE = {
  notificationType: 'Bounce',
  bounce: {
    bounceType: 'Permanent',
    reportingMTA: 'dns; email.example.com',
    bouncedRecipients: [
      {
        emailAddress: 'jane@example.com',
        status: '5.1.1',
        action: 'failed',
        diagnosticCode: 'smtp; 550 5.1.1 <jane@example.com>... User',
      },
    ],
    bounceSubType: 'General',
    timestamp: '2026-11-23T11:59:38.237Z',
    feedbackId: '00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa068a-000000',
    remoteMtaIp: '127.0.2.0',
  },
  mail: {
    timestamp: '2026-11-23T11:59:37.000Z',
    source: 'john@example.com',
    messageId: '00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa0680-000000',
    destination: ['jane@example.com', 'mary@example.com', 'richard@example.com'],
  },
}

/** The same as an event that is published. */
export const BOUNCE_EVENT = {
  eventType: 'Bounce',
  bounce: {
    bounceType: 'Transient',
    bounceSubType: 'MailboxFull',
    bouncedRecipients: [{ emailAddress: 'recipient@example.com', action: 'failed', status: '5.2.2' }],
    timestamp: '2026-11-23T11:41:02.669Z',
    feedbackId: '01000157c44f053b-61b59c11-9236-11e6-8f96-7be8aexample-000000',
  },
  mail: {
    timestamp: '2026-11-23T11:40:02.012Z',
    destination: ['recipient@example.com'],
    tags: { 'ses:caller-identity': ['ses_user'] },
  },
}

export const COMPLAINT = {
  notificationType: 'Complaint',
  complaint: {
    userAgent: 'AnyCompany Feedback Loop (V0.01)',
    complainedRecipients: [{ emailAddress: 'richard@example.com' }, { emailAddress: '"Mary" <mary@example.com>' }],
    complaintFeedbackType: 'abuse',
    arrivalDate: '2026-11-23T11:59:39.000Z',
    timestamp: '2026-11-23T11:59:40.000Z',
    feedbackId: '000001378603177f-18c07c78-fa81-4a58-9dd1-fedc3cb8f49a-000000',
  },
  mail: { destination: ['jane@example.com', 'mary@example.com', 'richard@example.com'] },
}

export const DELIVERY = {
  notificationType: 'Delivery',
  delivery: {
    timestamp: '2026-11-23T11:59:40.000Z',
    recipients: ['jane@example.com'],
    smtpResponse: '250 ok:  Message 64111812 accepted',
  },
  mail: { destination: ['jane@example.com'] },
}
