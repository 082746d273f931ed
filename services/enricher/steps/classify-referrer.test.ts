import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadReferrerList } from '../../../shared/crawlers/referrers.js';
import { createClassifyReferrerStep, hostOfReferrer } from './classify-referrer.js';

const list = loadReferrerList();
const step = createClassifyReferrerStep(list, 100);
const from = (referrer: string, query = '', siteDomain: string | null = 'example.com') => {
  const { referrer_domain, referrer_class, ai_operator } = step.classify({
    referrer,
    named: step.namedBy(query),
    siteDomain,
    host: 'shop.example.net',
  });
  return [referrer_domain, referrer_class, ai_operator];
};

describe('classifyReferrer', () => {
  test.each([
    ['', '', 'direct', ''],
    ['-', '', 'direct', ''],
    ['nonsense', '', 'direct', ''],
    ['https://example.com/a', 'example.com', 'internal', ''],
    ['https://www.example.com/a', 'example.com', 'internal', ''],
    ['http://shop.EXAMPLE.com:8080/a', 'shop.example.com', 'internal', ''],
    ['https://notexample.com/', 'notexample.com', 'external', ''],
    ['https://example.com.evil.net/', 'example.com.evil.net', 'external', ''],
    ['https://www.google.com/', 'google.com', 'search', ''],
    ['https://www.google.co.uk/search?q=x', 'google.co.uk', 'search', ''],
    ['https://docs.google.com/document', 'docs.google.com', 'external', ''],
    ['https://google.evil.com/', 'google.evil.com', 'external', ''],
    [
      'android-app://com.google.android.googlequicksearchbox/',
      'com.google.android.googlequicksearchbox',
      'search',
      '',
    ],
    ['https://cn.bing.com/search?q=chat', 'cn.bing.com', 'search', ''],
    ['https://yandex.com.tr/search/', 'yandex.com.tr', 'search', ''],
    ['https://uk.search.yahoo.com/', 'uk.search.yahoo.com', 'search', ''],
    ['https://l.facebook.com/l.php?u=x', 'l.facebook.com', 'social', ''],
    ['https://t.co/abc', 't.co', 'social', ''],
    ['https://netflix.com/', 'netflix.com', 'external', ''],
    ['https://chatgpt.com/', 'chatgpt.com', 'ai', 'OpenAI'],
    ['https://www.perplexity.ai/search/x', 'perplexity.ai', 'ai', 'Perplexity'],
    ['https://labs.perplexity.ai/', 'labs.perplexity.ai', 'ai', 'Perplexity'],
    ['https://gemini.google.com/app', 'gemini.google.com', 'ai', 'Google'],
    ['https://www.bing.com/chat?q=x', 'bing.com', 'ai', 'Microsoft'],
    ['https://www.bing.com/chatter', 'bing.com', 'search', ''],
    ['https://www.bing.com/search?q=/chat', 'bing.com', 'search', ''],
    ['https://kagi.com/assistant/1', 'kagi.com', 'ai', 'Kagi'],
    ['https://kagi.com/search?q=x', 'kagi.com', 'search', ''],
    ['https://yiyan.baidu.com/', 'yiyan.baidu.com', 'ai', 'Baidu'],
    ['https://www.baidu.com/s?wd=x', 'baidu.com', 'search', ''],
    ['https://x.com/i/grok?id=1', 'x.com', 'ai', 'xAI'],
  ])('%s', (referrer, domain, kind, operator) => {
    expect(from(referrer)).toEqual([domain, kind, operator]);
  });

  test.each([
    ['https://copilot.com/', 'Microsoft'],
    ['https://edgepilot.microsoft.com/', 'Microsoft'],
    ['https://claude.com/', 'Anthropic'],
    ['https://yuanbao.tencent.com/', 'Tencent'],
    ['https://chat.z.ai/', 'Zhipu AI'],
    ['https://chatglm.cn/', 'Zhipu AI'],
    ['https://www.genspark.ai/', 'Genspark'],
    ['https://felo.ai/', 'Felo'],
    ['https://manus.im/', 'Manus'],
    ['https://alice.yandex.ru/', 'Yandex'],
    ['https://ya.ru/alisa_davay_pridumaem?', 'Yandex'],
    ['https://giga.chat/', 'Sber'],
    ['https://ernie.baidu.com/', 'Baidu'],
    ['https://www.ernie.baidu.com/', 'Baidu'],
    ['https://metaso.cn/', 'Metaso'],
    ['https://huggingface.co/chat/', 'Hugging Face'],
    ['https://search.brave.com/ask?q=x', 'Brave'],
    ['https://lumo.proton.me/', 'Proton'],
    ['https://www.liner.com/', 'Liner'],
    ['https://wrtn.ai/', 'Wrtn'],
    ['https://atlas.chatgpt.com/', 'OpenAI'],
    // matomo-org/matomo#24835: one host for search and for Duck.ai.
    ['https://duckduckgo.com/?q=x&ia=chat', 'DuckDuckGo'],
    ['https://duckduckgo.com?ia=chat', 'DuckDuckGo'],
    ['https://duckduckgo.com/?q=x&IA=chat&duckai=1#a', 'DuckDuckGo'],
    ['https://duck.ai/', 'DuckDuckGo'],
    ['https://www.google.com/search?q=x&udm=50', 'Google'],
    ['https://www.bing.com/search?q=x&showconv=1', 'Microsoft'],
    ['https://m365copilot.com/', 'Microsoft'],
    ['https://m365.cloud.microsoft/chat', 'Microsoft'],
    ['https://www.tongyi.com/', 'Alibaba'],
    ['https://tongyi.com/qianwen', 'Alibaba'],
    ['https://hunyuan.tencent.com/', 'Tencent'],
    ['https://lmarena.ai/', 'LMArena'],
    ['https://venice.ai/chat', 'Venice'],
    ['https://scira.ai/', 'Scira'],
    ['https://www.stepfun.com/', 'StepFun'],
    ['https://xinghuo.xfyun.cn/', 'iFlytek'],
    ['https://wenxin.baidu.com/', 'Baidu'],
    ['android-app://com.openai.chatgpt/', 'OpenAI'],
    ['android-app://ai.perplexity.app.android/', 'Perplexity'],
    ['android-app://com.google.android.apps.bard/', 'Google'],
    ['android-app://com.anthropic.claude/', 'Anthropic'],
    ['android-app://com.microsoft.copilot/', 'Microsoft'],
    ['android-app://ai.x.grok/', 'xAI'],
    ['android-app://com.deepseek.chat/', 'DeepSeek'],
    ['android-app://com.tencent.hunyuan.app.chat', 'Tencent'],
  ])('%s is an assistant of %s', (referrer, operator) => {
    expect(from(referrer).slice(1)).toEqual(['ai', operator]);
  });

  test.each([
    ['android-app://com.Slack', 'social'],
    ['android-app://com.slack/', 'social'],
    ['android-app://com.pinterest/', 'social'],
    ['android-app://com.whatsapp/', 'social'],
    ['android-app://com.zhiliaoapp.musically/', 'social'],
    ['android-app://com.discord/', 'social'],
    ['android-app://com.instagram.barcelona/', 'social'],
    ['android-app://org.joinmastodon.android/', 'social'],
    ['https://statics.teams.cdn.office.net/', 'social'],
    ['android-app://com.google.android.googlequicksearchbox/https/www.google.com', 'search'],
    ['android-app://com.microsoft.bing', 'search'],
    ['https://discover.google.com/', 'search'],
    ['https://lens.google.com/', 'search'],
    ['android-app://com.google.android.gm/', 'external'],
    ['https://mail.google.com/', 'external'],
    ['https://huggingface.co/models', 'external'],
    ['https://search.brave.com/search?q=/ask', 'search'],
    ['https://yandex.ru/search', 'search'],
    ['https://duckduckgo.com/?q=ia=chat', 'search'],
    ['https://duckduckgo.com/?q=x&ia=web', 'search'],
    ['https://duckduckgo.com/x?ia=chat', 'search'],
    ['https://duckduckgo.com/?q=x#ia=chat', 'search'],
    ['https://www.google.com/search?q=x&udm=14', 'search'],
    ['https://www.qwant.com/', 'search'],
    ['https://semalt.com/', 'spam'],
    ['https://trafficmonetize.org/', 'spam'],
    ['https://news.grets.store/', 'spam'],
    ['https://static.seders.website/', 'spam'],
    ['http://semalt.semalt.com/crawler.php?u=http://example.com', 'spam'],
    ['https://notsemalt.com/', 'external'],
  ])('%s is %s', (referrer, kind) => expect(from(referrer).slice(1)).toEqual([kind, '']));

  test('spam stays spam with any link', () => {
    expect(from('https://semalt.com/', 'utm_source=chatgpt.com')).toEqual(['semalt.com', 'spam', '']);
  });

  test.each([
    ['utm_source=chatgpt.com', 'OpenAI'],
    ['a=1&utm_source=ChatGPT.com&utm_medium=x', 'OpenAI'],
    ['utm_source=perplexity%2Eai', 'Perplexity'],
    ['utm_source=copilot.com', 'Microsoft'],
    ['utm_source=claude.ai', 'Anthropic'],
    ['UTM_SOURCE=ChatGPT.com', 'OpenAI'],
    ['Utm_Source=chatgpt%2Ecom', 'OpenAI'],
    ['utm%5Fsource=chatgpt.com', 'OpenAI'],
    ['utm_source%3Dchatgpt.com', 'OpenAI'],
    ['a=1&amp;utm_source=chatgpt.com', 'OpenAI'],
    ['utm_source=%20chatgpt.com', 'OpenAI'],
    ['utm_source=chatgpt.com%20', 'OpenAI'],
    ['utm_source=https://chatgpt.com/', 'OpenAI'],
    ['utm_source=www.perplexity.ai', 'Perplexity'],
    ['utm_source=bing-copilot', 'Microsoft'],
    ['utm_source=google-gemini', 'Google'],
    ['utm_source=claude', 'Anthropic'],
    ['utm_source=meta_ai', 'Meta'],
    ['utm_source=meta.ai', 'Meta'],
    ['utm_source=Meta%20AI', 'Meta'],
    ['utm_source=google_gemini', 'Google'],
    ['utm_source=lmarena.ai', 'LMArena'],
    // matomo-org/matomo#24960
    ['utm_source=qwant&utm_medium=referral&utm_campaign=ai_chat', 'Qwant'],
    ['UTM_CAMPAIGN=AI_Chat&utm_source=Qwant', 'Qwant'],
    ['utm_source=yuanbao', 'Tencent'],
    ['utm_source=genspark', 'Genspark'],
    ['utm_source=felo', 'Felo'],
    ['utm_source=giga.chat', 'Sber'],
    ['ref=chatgpt.com', 'OpenAI'],
    ['REF=ChatGPT', 'OpenAI'],
    ['source=perplexity', 'Perplexity'],
    ['ref=menu&utm_source=chatgpt.com', 'OpenAI'],
    ['ref=claude.ai&utm_source=newsletter', 'Anthropic'],
  ])('takes the assistant from %s if no referrer names one', (query, operator) => {
    expect(from('', query)).toEqual(['', 'ai', operator]);
    expect(from('https://www.google.com/', query)).toEqual(['google.com', 'ai', operator]);
  });

  test.each([
    'utm_source=newsletter',
    'utm_source=qwant',
    'utm_source=qwant&utm_campaign=ai_chats',
    'utm_source=newsletter&utm_campaign=ai_chat',
    'ref=qwant&utm_campaign=ai_chat',
    'xutm_source=chatgpt.com',
    'utm_source=%E0%A4%A',
    'utm_source=',
    'utm_source=chatgpt.com.evil',
    'ref=claude',
    'utm_source=evil.example/?://chatgpt.com',
    'source=gemini',
    'ref=google.com',
    'href=chatgpt.com',
    'resource=chatgpt.com',
    'ref=',
  ])('takes no assistant from %s', (query) => expect(from('', query)).toEqual(['', 'direct', '']));

  test('an internal link stays internal with any utm_source', () => {
    expect(from('https://example.com/a', 'utm_source=chatgpt.com')).toEqual(['example.com', 'internal', '']);
  });

  test('the assistant of the referrer has precedence over utm_source', () => {
    expect(from('https://claude.ai/', 'utm_source=chatgpt.com')).toEqual(['claude.ai', 'ai', 'Anthropic']);
  });

  test('for an unknown website the requested host is used', () => {
    expect(from('https://shop.example.net/a', '', null)).toEqual(['shop.example.net', 'internal', '']);
  });

  test('returns the same result for a host seen before', () => {
    const twice = ['https://www.bing.com/chat', 'https://www.bing.com/search'].map((referrer) => [
      from(referrer),
      from(referrer),
    ]);
    for (const [first, second] of twice) expect(second).toEqual(first);
    expect(twice[0]![0]).not.toEqual(twice[1]![0]);
  });
});

test('reads the host like the URL parser', () => {
  fc.assert(
    fc.property(
      fc.webUrl({
        withQueryParameters: true,
        withFragments: true,
        authoritySettings: { withUserInfo: true, withPort: true },
      }),
      (url) => {
        const expected = new URL(url).hostname.replace(/^www\./, '');
        expect(hostOfReferrer(url)).toBe(expected);
      },
    ),
  );
});
