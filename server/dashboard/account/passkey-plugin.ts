import { passkey } from '@better-auth/passkey';
import { APIError } from 'better-auth/api';

/**
 * Returns the passkey plugin of the sign-in library. A passkey replaces both the password and the two-factor code, so
 * the device must have verified the user by fingerprint, face or PIN. The library itself does not require this
 * verification.
 */
export function passkeyPlugin(baseUrl: string) {
  return passkey({
    rpID: new URL(baseUrl).hostname,
    rpName: 'Tidemark',
    origin: baseUrl,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      afterVerification: ({ verification }) => requireVerifiedUser(verification.registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: ({ verification }) => requireVerifiedUser(verification.authenticationInfo.userVerified),
    },
  });
}

function requireVerifiedUser(verified: boolean | undefined): void {
  if (verified !== true) throw new APIError('BAD_REQUEST', { message: 'The device did not check the user.' });
}
