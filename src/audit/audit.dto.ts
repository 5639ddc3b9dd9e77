import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

class AuditActorDto {
  @ApiPropertyOptional({
    example: 'key_01k9mzh6xze3n8mqsd5wkxp2zt',
    description: 'The ID of the API key, as *List keys* shows it, if the change was made with a key.',
  })
  key_id?: string;

  @ApiPropertyOptional({
    example: 'usr_01k9mzh6xze3n8mqsd5wkxp2zt',
    description: 'The ID of the member, as *List members* shows it, if a person made the change.',
  })
  user_id?: string;

  @ApiProperty({
    example: 'backend',
    description:
      'The name that the key had, or that the person has. `former member` for a person who is no longer a member.',
  })
  name!: string;
}

class AuditResourceDto {
  @ApiProperty({
    example: 'entry',
    description:
      'As in the types of events: `content_type`, `entry`, `form`, `submission`, `media`, `webhook`, `key`, `erasure`, or a type of an extension.',
  })
  type!: string;

  @ApiProperty({ example: 'ent_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;
}

/** The change of one resource. */
export class AuditRecordDto {
  @ApiProperty({ example: 'aud_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  at!: string;

  @ApiProperty({ type: AuditActorDto })
  actor!: AuditActorDto;

  @ApiProperty({
    example: 'updated',
    description: '`created`, `updated`, `deleted`, or what else the request did: `published`, `released`, `revoked` …',
  })
  action!: string;

  @ApiProperty({ type: AuditResourceDto })
  resource!: AuditResourceDto;

  @ApiProperty({
    type: [String],
    example: ['title', 'status'],
    description:
      'The names of what was changed: properties, or fields of an entry. Empty for a creation or deletion, and if nothing had another value.',
  })
  changes!: string[];

  @ApiProperty({
    example: '0b6d4a0e-3c1b-4d7c-9d57-0f6f6c1c2a51',
    description: 'The `X-Request-Id` of the request. Records of one request have the same.',
  })
  request_id!: string;

  @ApiPropertyOptional({
    example: '198.51.100.7',
    description: 'The address of the client, if the service was configured to record it (`AUDIT_IP`).',
  })
  ip?: string;

  @ApiPropertyOptional({
    example: 'mcp',
    description:
      '`mcp` if an assistant made the change with a tool at `/mcp`. Absent if the client sent the request to the API.',
  })
  via?: string;
}
