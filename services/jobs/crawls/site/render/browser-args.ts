/**
 * The browser's arguments. No part of it reaches the network directly: requests of pages are intercepted (render-page.ts), and any other request finds no
 * host name and no proxy.
 */
export const browserArgs: readonly string[] = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://127.0.0.1:1',
  '--proxy-bypass-list=<-loopback>',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--disable-features=WebTransport,Prerender2,SpeculationRules,NetworkPrediction,DnsOverHttps',
  '--disable-quic',
  '--disable-gpu',
  '--js-flags=--max-old-space-size=256',
  '--renderer-process-limit=3',
];
