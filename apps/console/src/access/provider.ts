import { OPERATOR_ROLES, type OperatorRole } from '@passerelle/domain';
import * as oidc from 'openid-client';

/** An identity provider, and the console's credentials there. */
export interface ProviderConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The claim with the role, such as `roles` or `realm_access.roles`. */
  roleClaim: string;
}

/** The values that the browser must bring back from the provider, or the sign-in fails. */
export interface ProviderFlow {
  state: string;
  nonce: string;
  verifier: string;
}

/** The token with which the present role can be read from the provider. A secret. */
export interface ProviderGrant {
  /** Null if the provider issues no refresh token; then the access token is used while it is valid. */
  refresh: string | null;
  access: string;
  sub: string;
  /** Whether the role is in the answer of `userinfo`, and not only in the identity token. */
  isInUserinfo: boolean;
}

/** A person, as described by the provider. */
export interface ProvidedIdentity {
  grant: ProviderGrant;
  /** The permanent identity: the provider and the person's identifier there. */
  subject: string;
  /** Possible names, best first. */
  names: string[];
  /** Null without a role that we know. */
  role: OperatorRole | null;
}

/** Thrown when the provider reports that its session has ended. */
export class GrantOver extends Error {}

const TIMEOUT_MS = 10_000;

/** Code flow with PKCE, state and nonce. Each sign-in reads metadata and keys, so changed keys need no handling. */
export class Provider {
  constructor(
    private readonly config: ProviderConfig,
    private readonly returnsTo: string,
  ) {}

  get name(): string {
    return new URL(this.config.issuer).host;
  }

  /** @throws Error when the provider does not answer. */
  async begin(): Promise<{ address: string; flow: ProviderFlow }> {
    const provider = await this.discover();
    const verifier = oidc.randomPKCECodeVerifier();
    const flow = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier };
    const scopes = ['openid', 'profile', 'email'];
    const [claim = ''] = this.config.roleClaim.split('.');
    // Many providers need `offline_access` for a refresh token; without one the role cannot be read after an hour.
    for (const scope of [claim, 'offline_access'])
      if (provider.serverMetadata().scopes_supported?.includes(scope) === true) scopes.push(scope);
    const address = oidc.buildAuthorizationUrl(provider, {
      ...{ redirect_uri: this.returnsTo, scope: scopes.join(' '), state: flow.state, nonce: flow.nonce },
      ...{ code_challenge: await oidc.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    });
    return { address: address.href, flow };
  }

  /** @param query the text after `?`. @throws Error without an answer, or for an answer to another sign-in. */
  async finish(query: string, { state, nonce, verifier }: ProviderFlow): Promise<ProvidedIdentity> {
    const provider = await this.discover();
    const tokens = await oidc.authorizationCodeGrant(provider, new URL(`${this.returnsTo}?${query}`), {
      ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('the provider gave no identity');
    const more = await userinfoOf(provider, tokens.access_token, claims.sub);
    const all: Record<string, unknown> = { ...more, ...claims };
    const { roleClaim } = this.config;
    const names = [all['preferred_username'], all['email'], claims.sub].filter((name) => typeof name === 'string');
    return {
      subject: `${claims.iss} ${claims.sub}`,
      // If a name is already taken, the provider's host distinguishes the two operators.
      names: names.flatMap((name) => [name, `${name}@${this.name.replaceAll(':', '-')}`]),
      role: roleIn(all, roleClaim),
      grant: {
        ...{ refresh: tokens.refresh_token ?? null, access: tokens.access_token, sub: claims.sub },
        isInUserinfo: roleIn(more, roleClaim) !== null,
      },
    };
  }

  /** The present role or null, and the next token. @throws GrantOver when the session at the provider has ended. */
  async roleNow(grant: ProviderGrant): Promise<{ role: OperatorRole | null; grant: ProviderGrant }> {
    const { refresh, sub, isInUserinfo } = grant;
    try {
      const provider = await this.discover();
      const tokens = refresh === null ? null : await oidc.refreshTokenGrant(provider, refresh);
      const claims = tokens?.claims();
      if (claims !== undefined && claims.sub !== sub) throw new Error('the provider answered for another person');
      const access = tokens?.access_token ?? grant.access;
      const role = roleIn({ ...(await userinfoOf(provider, access, sub)), ...claims }, this.config.roleClaim);
      if (role === null && claims === undefined && !isInUserinfo)
        throw new Error('the identity provider did not send the role again');
      return { role, grant: { ...grant, access, refresh: tokens?.refresh_token ?? refresh } };
    } catch (error) {
      throw isOver(error) ? new GrantOver() : error;
    }
  }

  private discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.config;
    const end = AbortSignal.timeout(TIMEOUT_MS);
    const isPlain = issuer.startsWith('http:');
    return oidc.discovery(new URL(issuer), clientId, undefined, oidc.ClientSecretBasic(clientSecret), {
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- config.ts allows plain HTTP only to this machine
      execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
      [oidc.customFetch]: (url, options) =>
        fetch(url, { ...(options as RequestInit), signal: AbortSignal.any([end, ...signalOf(options)]) }),
    });
  }
}

async function userinfoOf(
  provider: oidc.Configuration,
  accessToken: string,
  sub: string,
): Promise<Record<string, unknown>> {
  if (provider.serverMetadata().userinfo_endpoint === undefined) return {};
  return oidc.fetchUserInfo(provider, accessToken, sub);
}

function isOver(error: unknown): boolean {
  if (error instanceof oidc.WWWAuthenticateChallengeError) return error.status === 401;
  return error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant';
}

function signalOf({ signal }: { signal?: AbortSignal | undefined }): AbortSignal[] {
  return signal === undefined ? [] : [signal];
}

/** The highest role in a claim that is a text or a list of texts. Null without a role. */
function roleIn(claims: Readonly<Record<string, unknown>>, claim: string): OperatorRole | null {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : innerValue(claims, claim.split('.'));
  const words: unknown[] = Array.isArray(value) ? value : [value];
  return OPERATOR_ROLES.findLast((role) => words.includes(role)) ?? null;
}

function innerValue(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return innerValue((value as Record<string, unknown>)[name], rest);
}
