-- AlterTable
ALTER TABLE "Person" ADD COLUMN     "passwordSetAt" TIMESTAMP(3);
