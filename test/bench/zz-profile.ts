import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { readFileSync, rmSync, readdirSync } from 'node:fs';
import { writeLineFiles } from './lines.js';
import { startStandalone } from '../harness/standalone.js';
import { measureThroughput } from './throughput.js';
import { cpuSecondsOfTree } from './process-memory.js';
const DAY=86400000; const end=Math.floor(Date.now()/DAY)*DAY;
const [f]=await writeLineFiles('/tmp/pb',['combined'],{count:1000000,seed:'bench',days:7,end,domain:'shop.example'});
const uploads:any[]=[]; let lines:string[]=[];
for await(const l of createInterface({input:createReadStream(f!.path)})){ if(lines.push(l)===10000){uploads.push({lines:10000,body:gzipSync(lines.join('\n'),{level:1})});lines=[];} }
rmSync((process.env.DD??'/tmp/pb/data'),{recursive:true,force:true}); rmSync('/tmp/pb/prof',{recursive:true,force:true});
const seconds=Number(process.argv[2]??20);
const p=await startStandalone({dataDir:(process.env.DD??'/tmp/pb/data'),apiPort:18080,ingestPort:18081,built:true,nodeOptions:[...(process.env.PROF?['--cpu-prof','--cpu-prof-dir=/tmp/pb/prof']:[]),...(process.env.NO?.split(' ')??[])]} as any);
const t=await measureThroughput(p,uploads,{seconds,source:'combined'});
console.log(JSON.stringify(t)); 
for(const [pid,s] of cpuSecondsOfTree(p.pid)) console.log(pid,s,(s/t.lines*1e6).toFixed(1)+' us/line',readFileSync('/proc/'+pid+'/cmdline','utf8').replaceAll('\0',' ').slice(-60));
for(const pid of cpuSecondsOfTree(p.pid).keys()){const th:any={};for(const tid of readdirSync(`/proc/${pid}/task`)){try{const st=readFileSync(`/proc/${pid}/task/${tid}/stat`,'utf8');const nm=st.match(/\((.*)\)/)![1]!;const a=st.split(') ')[1]!.split(' ');th[nm]=(th[nm]??0)+(Number(a[11])+Number(a[12]))/100;}catch{}} console.log(pid,JSON.stringify(th));}
const m=await (await fetch('http://127.0.0.1:18080/metrics')).text(); const g=(n:string)=>Number(m.match(new RegExp('^'+n+' (.*)$','m'))?.[1]); console.log('inserts',g('loglane_enricher_insert_seconds_count'),'rows/insert',g('loglane_enricher_rows_total')/g('loglane_enricher_insert_seconds_count'),'s/insert',g('loglane_enricher_insert_seconds_sum')/g('loglane_enricher_insert_seconds_count'));
console.log('stop',await p.stop());
