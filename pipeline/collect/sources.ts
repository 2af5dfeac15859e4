/** Settings of the data sources, which the operator sets in the environment (docs/operating.md). */
export interface SourcesConfig {
  youtube_api_key: string | null;
  /**
   * Maximum number of YouTube API quota units per day in Pacific time. The default is the quota of a new Google
   * project.
   */
  youtube_daily_units?: number;
  /**
   * Maximum number of YouTube API searches per day in Pacific time. The default is the quota of a new Google project.
   */
  youtube_daily_searches?: number;
  instagram_graph_token: string | null;
  instagram_graph_user_id: string | null;
  meta_adlibrary_token: string | null;
  x_bearer_token: string | null;
  /** Returns true when the setting KEYLESS_SOURCES allows the source with this name, which needs no credentials. */
  keyless: (source: string) => boolean;
}

/**
 * Reads the settings of the data sources from the environment variables. An empty variable counts as not set. Throws an
 * Error that names the invalid variable.
 */
export function readSourcesConfig(env: Record<string, string | undefined>): SourcesConfig {
  const value = (name: string) => env[name]?.trim() || null;
  const { only, except } = readKeyless(env);
  const units = dailyBudget('YOUTUBE_DAILY_UNITS', value('YOUTUBE_DAILY_UNITS'));
  const searches = dailyBudget('YOUTUBE_DAILY_SEARCHES', value('YOUTUBE_DAILY_SEARCHES'));
  return {
    youtube_api_key: value('YOUTUBE_API_KEY'),
    ...(units === null ? {} : { youtube_daily_units: units }),
    ...(searches === null ? {} : { youtube_daily_searches: searches }),
    instagram_graph_token: value('INSTAGRAM_GRAPH_TOKEN'),
    instagram_graph_user_id: value('INSTAGRAM_GRAPH_USER_ID'),
    meta_adlibrary_token: value('META_ADLIBRARY_TOKEN'),
    x_bearer_token: value('X_BEARER_TOKEN'),
    keyless: (source) => (only === null || only.has(source)) && !except.has(source),
  };
}

function dailyBudget(name: string, text: string | null): number | null {
  if (text === null) return null;
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new Error(`${name} must be a whole number, 0 or larger, not "${text}".`);
}

/**
 * The parsed setting KEYLESS_SOURCES, which switches sources without credentials on or off. `only` lists the allowed
 * sources (null: all sources). `except` lists the sources that are switched off.
 */
interface Keyless {
  only: ReadonlySet<string> | null;
  except: ReadonlySet<string>;
}

/**
 * Reads the setting KEYLESS_SOURCES: `on`, `off`, a list of names of the allowed sources, or a list of sources to
 * switch off, each name with a leading `-`.
 */
function readKeyless({ KEYLESS_SOURCES: text }: Record<string, string | undefined>): Keyless {
  const entries = (text?.toLowerCase() ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  if (entries.join() === 'off') return { only: new Set(), except: new Set() };
  const named = entries.filter((entry) => !entry.startsWith('-'));
  const except = new Set(entries.filter((entry) => entry.startsWith('-')).map((entry) => entry.slice(1)));
  return { only: named.length === 0 || entries.join() === 'on' ? null : new Set(named), except };
}

/**
 * Throws an Error that lists the unknown names in the setting KEYLESS_SOURCES. `known` are the names of all sources
 * without credentials.
 */
export function refuseUnknownSources(env: Record<string, string | undefined>, known: readonly string[]): void {
  const { only, except } = readKeyless(env);
  const unknown = [...(only ?? []), ...except].filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new Error(
    `KEYLESS_SOURCES has unknown names: ${unknown.join(', ')}. Use on, off, or these names: ${known.join(', ')}.`,
  );
}
