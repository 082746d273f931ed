import { readFileSync, rmSync, existsSync } from 'node:fs';
import { connectClickHouse } from '../../shared/clickhouse/client.js';
import { startEmbeddedClickHouse } from '../../shared/clickhouse/embedded/start-engine.js';
import { migrate } from '../../shared/clickhouse/migrate.js';
import { createLogger } from '../../shared/log.js';
import { requestColumns } from '../../services/enricher/sink/encode-rows.js';
import { cpuSecondsOfTree } from './process-memory.js';
import { readdirSync } from 'node:fs';
const logger=createLogger('error','b');
const file='/tmp/pb/rows.tsv';
if(!existsSync(file)){
  const e=await startEmbeddedClickHouse({directory:'/tmp/pb/data/clickhouse',logger});
  const c=connectClickHouse(e.url,{maxMemoryBytes:2e9});
  await c.command(`INSERT INTO FUNCTION file('${file}','TabSeparated') SELECT ${requestColumns.join(',')} FROM requests WHERE website_id=(select website_id from requests group by 1 order by count() desc limit 1) ORDER BY log_partition, log_offset, log_index`);
  await c.close(); await e.stop();
}
const whole=readFileSync(file);
const offs:number[]=[0]; for(let i=whole.indexOf(10);i>=0;i=whole.indexOf(10,i+1)) offs.push(i+1);
const total=offs.length-1; 
for(const spec of process.argv.slice(2)){
 const [n,writers,mods]=spec.split(':'); const N=Number(n), W=Number(writers??1);
 rmSync((process.env.BULK??'/tmp/pb/bulk'),{recursive:true,force:true});
 const e=await startEmbeddedClickHouse({directory:(process.env.BULK??'/tmp/pb/bulk'),logger});
 const c=connectClickHouse(e.url,{maxMemoryBytes:2e9});
 await migrate(c,{logger:createLogger('silent','b')});
 for(const m of (mods??'').split('|').filter(Boolean)) { if(m.startsWith('drop=')) for(const t of m.slice(5).split(',')) await c.command(`DROP TABLE ${t}`); if(m.startsWith('sql=')) await c.command(m.slice(4)); }
 const settings=Object.fromEntries((mods??'').split('|').filter(m=>m.startsWith('set=')).map(m=>m.slice(4).split('=')));
 const t0=performance.now(); const cpu0=[...cpuSecondsOfTree(e.pid()!)].reduce((s,[,v])=>s+v,0);
 const limit=Math.min(total,Number(process.env.LIMIT??600000));
 let next=0; const starts:number[]=[]; for(let i=0;i<limit;i+=N) starts.push(i);
 let worst=0,sum=0;
 await Promise.all(Array.from({length:W},async()=>{ for(;;){const k=next++; if(k>=starts.length) return; const a=starts[k]!, b=Math.min(a+N,limit); const s=performance.now();
   await c.insert({table:'requests',columns:requestColumns,rows:whole.subarray(offs[a],offs[b]),deduplicationToken:`t${k}`, settings} as any); const d=performance.now()-s; sum+=d; worst=Math.max(worst,d);} }));
 const wall=(performance.now()-t0)/1000; const cpu=[...cpuSecondsOfTree(e.pid()!)].reduce((s,[,v])=>s+v,0)-cpu0;
 const th:any={};for(const tid of readdirSync(`/proc/${e.pid()}/task`)){try{const st=readFileSync(`/proc/${e.pid()}/task/${tid}/stat`,'utf8');const nm=st.match(/\((.*)\)/)![1]!;const a=st.split(') ')[1]!.split(' ');th[nm]=+((th[nm]??0)+(Number(a[11])+Number(a[12]))/100).toFixed(2);}catch{}}
 console.log(spec,`rows ${limit} inserts ${starts.length} wall ${wall.toFixed(1)} rate ${(limit/wall).toFixed(0)}/s cpu ${(cpu/limit*1e6).toFixed(1)} us/row, insert avg ${(sum/starts.length).toFixed(0)} max ${worst.toFixed(0)} ms`,JSON.stringify(th));
 await c.close(); await e.stop();
}
process.exit(0);
