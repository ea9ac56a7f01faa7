import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SignatureNotValid } from '@rollcall/core'
import { afterAll, expect, it } from 'vitest'
import { createSesVerifier } from '../src/index.ts'
import type { SnsMessage } from '../src/sns-message.ts'
import { BOUNCE, COMPLAINT } from './documented.ts'

// Messages that others sign as Amazon SNS does.
const MOTO = 'moto[sns]==5.2.5'

const SIGN = `
import json, sys
import boto3
from moto import mock_aws
from moto.core import DEFAULT_ACCOUNT_ID
from moto.sns.models import sns_backends
with mock_aws():
    sns = boto3.client('sns', region_name='eu-west-1', aws_access_key_id='x', aws_secret_access_key='x')
    arn = sns.create_topic(Name='bounces')['TopicArn']
    sns.subscribe(TopicArn=arn, Protocol='https', Endpoint='https://news.example.com/feedback/ses')
    backend = sns_backends[DEFAULT_ACCOUNT_ID]['eu-west-1']
    subscription = list(backend.subscriptions.values())[0]
    for line in sys.stdin:
        message = subscription.get_post_data(line.strip(), 'a1b2', None)
        name = message['SigningCertURL'].rsplit('/', 1)[1]
        print(json.dumps({'message': message, 'certificate': backend._message_public_keys[name].decode()}))
`

interface Signed {
  readonly message: SnsMessage
  readonly certificate: string
}

const folder = mkdtempSync(path.join(tmpdir(), 'rollcall-moto-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const signedByOthers = (...messages: readonly object[]): Signed[] => {
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', folder, MOTO]
  execFileSync('python3', pip, { stdio: 'pipe' })
  const lines = execFileSync('python3', ['-c', SIGN], {
    env: { ...process.env, PYTHONPATH: folder },
    input: messages.map((message) => `${JSON.stringify(message)}\n`).join(''),
    encoding: 'utf8',
  })
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

it('believes messages that others sign as Amazon does, and none of them once it was changed', async () => {
  const signed = signedByOthers(BOUNCE, COMPLAINT)
  const certificates = new Map(signed.map(({ message, certificate }) => [message.SigningCertURL, certificate]))
  const verifier = createSesVerifier({
    topics: [signed[0]?.message.TopicArn ?? ''],
    clock: { now: () => Date.now() },
    fetch: async (url) =>
      new Response(certificates.get(String(url)), { status: certificates.has(String(url)) ? 200 : 404 }),
  })
  const verify = (message: SnsMessage) => verifier.verify(Buffer.from(JSON.stringify(message)), () => undefined)
  const found = await Promise.all(signed.map(({ message }) => verify(message)))
  expect(found.flat()).toMatchObject([
    { kind: 'bounce', address: 'jane@example.com', status: '5.1.1' },
    { kind: 'complaint', address: 'richard@example.com' },
    { kind: 'complaint', address: 'mary@example.com' },
  ])
  for (const { message } of signed) {
    const changed = { ...message, Message: message.Message.replaceAll('example.com', 'example.net') }
    await expect(verify(changed)).rejects.toThrow(SignatureNotValid)
    await expect(verify({ ...message, MessageId: 'another' })).rejects.toThrow(SignatureNotValid)
  }
})
