import { OPERATOR_ROLES, type OperatorRole } from '@passerelle/domain';
import * as oidc from 'openid-client';

/** A provider of identities, and what it calls the console. */
export interface ProviderConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Where the role stands: `roles`, `realm_access.roles`. */
  roleClaim: string;
}

/** What a browser that is at the provider comes back with, or nobody signs in. */
export interface ProviderFlow {
  state: string;
  nonce: string;
  verifier: string;
}

/** What a provider is asked with for the role that somebody has by now. A secret. */
export interface ProviderGrant {
  /** Null where the provider gives none: then the other one, for as long as it is good. */
  refresh: string | null;
  access: string;
  sub: string;
  /** Whether the role stands in what `userinfo` says, rather than in the identity alone. */
  isInUserinfo: boolean;
}

/** What a provider says of somebody. */
export interface ProvidedIdentity {
  grant: ProviderGrant;
  /** The provider and what it calls them, for ever. */
  subject: string;
  /** What they may be called here. */
  names: string[];
  /** Null when it gives them none that we know. */
  role: OperatorRole | null;
}

/** The provider says that somebody's session there is over. */
export class GrantOver extends Error {}

/** Nobody waits longer for a provider, whatever it is asked for. */
const ASKED_MS = 10_000;

/**
 * A provider of OpenID Connect: code flow with PKCE, state and nonce, and the signature of the identity is looked at. What a
 * provider says of itself, its keys too, is asked for at each sign-in: there are few, and keys that were changed need no care.
 */
export class Provider {
  constructor(
    private readonly config: ProviderConfig,
    /** Where browsers come back to. */
    private readonly returnsTo: string,
  ) {}

  /** What people know it by. */
  get name(): string {
    return new URL(this.config.issuer).host;
  }

  /** Where a browser is sent. @throws Error when the provider does not answer. */
  async begin(): Promise<{ address: string; flow: ProviderFlow }> {
    const provider = await this.discover();
    const verifier = oidc.randomPKCECodeVerifier();
    const flow = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier };
    const scopes = ['openid', 'profile', 'email'];
    const [claim = ''] = this.config.roleClaim.split('.');
    // The second one: without it many give nothing to ask for the role with, once an hour is over.
    for (const scope of [claim, 'offline_access'])
      if (provider.serverMetadata().scopes_supported?.includes(scope) === true) scopes.push(scope);
    const address = oidc.buildAuthorizationUrl(provider, {
      ...{ redirect_uri: this.returnsTo, scope: scopes.join(' '), state: flow.state, nonce: flow.nonce },
      ...{ code_challenge: await oidc.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    });
    return { address: address.href, flow };
  }

  /**
   * Who came back.
   *
   * @param query what stands behind `?`
   * @throws Error when the provider does not answer, or what came back is not what was begun.
   */
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
      // Whose name is somebody else's here is told apart by the provider.
      names: names.flatMap((name) => [name, `${name}@${this.name.replaceAll(':', '-')}`]),
      role: roleIn(all, roleClaim),
      grant: {
        ...{ refresh: tokens.refresh_token ?? null, access: tokens.access_token, sub: claims.sub },
        isInUserinfo: roleIn(more, roleClaim) !== null,
      },
    };
  }

  /**
   * The role that somebody has by now, null for none, and what the provider is asked with the next time.
   *
   * @throws GrantOver when their session at the provider is over.
   * @throws Error when the provider does not answer, or does not say.
   */
  async roleNow(grant: ProviderGrant): Promise<{ role: OperatorRole | null; grant: ProviderGrant }> {
    const { refresh, sub, isInUserinfo } = grant;
    try {
      const provider = await this.discover();
      const tokens = refresh === null ? null : await oidc.refreshTokenGrant(provider, refresh);
      const claims = tokens?.claims();
      if (claims !== undefined && claims.sub !== sub) throw new Error('the provider answered for somebody else');
      const access = tokens?.access_token ?? grant.access;
      const role = roleIn({ ...(await userinfoOf(provider, access, sub)), ...claims }, this.config.roleClaim);
      if (role === null && claims === undefined && !isInUserinfo) throw new Error('the provider says no role again');
      return { role, grant: { ...grant, access, refresh: tokens?.refresh_token ?? refresh } };
    } catch (error) {
      throw isOver(error) ? new GrantOver() : error;
    }
  }

  private discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.config;
    const end = AbortSignal.timeout(ASKED_MS);
    const isPlain = issuer.startsWith('http:');
    return oidc.discovery(new URL(issuer), clientId, undefined, oidc.ClientSecretBasic(clientSecret), {
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that nobody forgets TLS: config.ts lets no other machine be asked without
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

/** What was given is good no longer: it was taken back, or has ended. */
function isOver(error: unknown): boolean {
  if (error instanceof oidc.WWWAuthenticateChallengeError) return error.status === 401;
  return error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant';
}

function signalOf({ signal }: { signal?: AbortSignal | undefined }): AbortSignal[] {
  return signal === undefined ? [] : [signal];
}

/** The role in a claim that is a text or a list of them: of several the one that may do most. Null for none. */
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
