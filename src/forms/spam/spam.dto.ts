import { ApiProperty } from '@nestjs/swagger';

class ChallengeParametersDto {
  @ApiProperty({ example: 'PBKDF2/SHA-256' })
  algorithm!: string;

  @ApiProperty({ type: 'integer', minimum: 1, example: 5_000, description: 'The iterations of one derivation.' })
  cost!: number;

  @ApiProperty({ type: 'integer', minimum: 1, example: 1_769_852_400, description: 'In seconds since 1970.' })
  expiresAt!: number;

  @ApiProperty({ type: 'integer', minimum: 1, example: 32, description: 'In bytes.' })
  keyLength!: number;

  @ApiProperty({
    example: '6d0f2b6a1fd6b1c54f5ce0f9e0d1a4a2',
    description: 'What the derived key begins with, in hexadecimal digits.',
  })
  keyPrefix!: string;

  @ApiProperty({ example: 'e1b5a2c94f7d49d1a2f85f2c20a6a1f3e1b5a2c94f7d49d1a2f85f2c20a6a1f3' })
  keySignature!: string;

  @ApiProperty({ example: '3f0f2a9a6a8d4f1d9f3d8a5b0c7e6d21' })
  nonce!: string;

  @ApiProperty({ example: '9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d' })
  salt!: string;
}

/** A challenge in the format of ALTCHA 2, and a time token. */
export class ChallengeDto {
  @ApiProperty({ type: ChallengeParametersDto })
  parameters!: ChallengeParametersDto;

  @ApiProperty({ example: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae' })
  signature!: string;

  @ApiProperty({ description: 'Whether the form asks for the solution (`spam.challenge`).' })
  required!: boolean;

  @ApiProperty({
    example: 'AQGZ0b8zgB4xwqQ2a0i8nB4m2b0xYJk',
    description: 'A signed token of the time of the response. Valid for 24 hours, also several times.',
  })
  _t!: string;
}
