import { ApiProperty } from '@nestjs/swagger';

const MAIL_STATES = ['pending', 'sent', 'failed', 'canceled', 'skipped'] as const;

/** An email about a submission. */
export class MailDto {
  @ApiProperty({ example: 'mail_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty({
    enum: ['notify', 'autoresponder'],
    description: '`notify`: to an address of `notify_email` or of a rule. `autoresponder`: to the visitor.',
  })
  kind!: 'notify' | 'autoresponder';

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'office@acme.example',
    description: 'Null if the submission has no address for the autoresponder.',
  })
  recipient!: string | null;

  @ApiProperty({
    enum: [...MAIL_STATES],
    description:
      '`sent`: the mail server has accepted it. `failed`: it is not tried again. `canceled`: the submission was marked as spam. ' +
      '`skipped`: a limit forbids it, which `last_error` names.',
  })
  state!: (typeof MAIL_STATES)[number];

  @ApiProperty({ type: 'integer', example: 1, description: 'The number of attempts to send it.' })
  attempts!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'Why it was not accepted at the last failed attempt, or why it is skipped.',
  })
  last_error!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-01-31T09:30:00.000Z' })
  sent_at!: string | null;
}
